import t from 'tap';
import type { IdFormat } from '../../shared/records/id-format.js';
import { compileTemplates } from '../../shared/resolve/compile.js';
import { compileIdFormat, idFault } from '../../shared/resolve/id-matcher.js';
import { matchTemplate } from '../../shared/resolve/match.js';
import { patternsOverlap } from '../../shared/resolve/overlap.js';
import { type PathPattern, parsePattern } from '../../shared/resolve/pattern.js';
import fc from '../support/properties.js';
import { type ObviousTemplate, obviouslyFits, obviouslyResolve } from './obvious-resolver.js';

function pattern(text: string): PathPattern {
  const parsed = parsePattern(text);
  if (!parsed.ok) throw new Error(`not a pattern: ${text}: ${JSON.stringify(parsed.issues)}`);
  return parsed.value;
}

/** Few letters and short literals, so that random patterns often match random paths. */
const literal = (min: number, max: number) => fc.string({ unit: fc.constantFrom('a', 'b', '-'), minLength: min, maxLength: max });

const patternText = (segmentsMax: number, literalMax: number) =>
  fc
    .tuple(
      fc.array(literal(1, literalMax), { minLength: 1, maxLength: segmentsMax - 1 }),
      literal(0, literalMax),
      literal(0, literalMax),
      fc.nat(),
    )
    .map(([literals, prefix, suffix, at]) => {
      const segments = [...literals];
      segments.splice(at % (literals.length + 1), 0, `${prefix}{id}${suffix}`);
      return `/${segments.join('/')}`;
    });

const idFormat: fc.Arbitrary<IdFormat> = fc.oneof(
  fc.constantFrom('numeric', 'alnum', 'uuid', 'ulid', 'base64url').map((preset) => ({ kind: 'preset', preset }) as IdFormat),
  fc
    .record({
      charset: fc.constantFrom('ab', 'a-b-', 'a-z0-9.', 'a/', 'ä-ö😀-😃ab', '%a'),
      min: fc.integer({ min: 1, max: 3 }),
      more: fc.nat(4),
    })
    .map(({ charset, min, more }): IdFormat => ({ kind: 'charset', charset, min_length: min, max_length: min + more })),
);

/** Segments similar to those of the patterns, with valid and invalid escapes. */
const pathPiece = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('a', 'b', '-', 'ab', '1') },
  { weight: 3, arbitrary: fc.constantFrom('%61', '%2D', '%2F', '%2f', '.', '%2e', 'ä', '%C3%A4', '%F0%9F%98%80', '😀', '%2561', '%25') },
  { weight: 1, arbitrary: fc.constantFrom('%', '%a', '%zz', '%FF', '%C3', '%ED%A0%80', 'A', '%00', ' ') },
);
const path = fc
  .tuple(
    fc.array(
      fc.array(pathPiece, { maxLength: 4 }).map((pieces) => pieces.join('')),
      { maxLength: 4 },
    ),
    fc.constantFrom('', '', '/', '//'),
  )
  .map(([segments, end]) => `/${segments.join('/')}${end}`);

/** A random path, or one of the patterns with a text for its id. One character of it may be percent-encoded. */
interface PathPlan {
  readonly path: string;
  readonly pick: number | null;
  readonly id: string;
  readonly spell: number | null;
}
const pathPlan: fc.Arbitrary<PathPlan> = fc.record({
  path,
  pick: fc.option(fc.nat(), { freq: 3 }),
  id: fc.array(pathPiece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join('')),
  spell: fc.option(fc.nat()),
});

function pathOf(plan: PathPlan, texts: readonly string[]): string {
  const text = plan.pick === null ? plan.path : (texts[plan.pick % texts.length] as string).replace('{id}', () => plan.id);
  if (plan.spell === null) return text;
  const at = plan.spell % text.length;
  const code = text.charCodeAt(at);
  return code > 126 ? text : `${text.slice(0, at)}%${code.toString(16)}${text.slice(at + 1)}`;
}

/** A set of templates without overlaps, as the control plane keeps it. */
function disjoint(texts: readonly string[], formats: readonly IdFormat[], active: readonly boolean[]): ObviousTemplate[] {
  const kept: ObviousTemplate[] = [];
  for (const [index, text] of texts.entries())
    if (!kept.some((other) => patternsOverlap(pattern(other.path_pattern), pattern(text))))
      kept.push({
        name: text,
        path_pattern: text,
        id_format: formats[index % formats.length] as IdFormat,
        active: active[index % active.length] as boolean,
      });
  return kept;
}

function compiled(templates: readonly ObviousTemplate[]) {
  return compileTemplates(
    templates.map((template) => ({
      pattern: pattern(template.path_pattern),
      id_matcher: compileIdFormat(template.id_format),
      state: template.active ? ('active' as const) : ('disabled' as const),
      template: template.name,
    })),
  );
}

t.test('the compiled matcher gives the same results as the obvious resolver, on random patterns and paths', async (t) => {
  const seen = { match: 0, invalid_id: 0, no_template: 0 };
  fc.assert(
    fc.property(
      fc.array(patternText(4, 2), { minLength: 1, maxLength: 12 }),
      fc.array(idFormat, { minLength: 1, maxLength: 4 }),
      fc.array(fc.constantFrom(true, true, true, false), { minLength: 1, maxLength: 5 }),
      fc.array(pathPlan, { minLength: 1, maxLength: 20 }),
      (texts, formats, active, plans) => {
        const templates = disjoint(texts, formats, active);
        const matcher = compiled(templates);
        for (const plan of plans) {
          const text = pathOf(plan, texts);
          const { result, template, id } = matchTemplate(matcher, text);
          const wanted = obviouslyResolve(templates, text);
          seen[result]++;
          if (result !== wanted.result || template !== wanted.name || id !== wanted.id)
            throw new Error(`${text}: ${JSON.stringify({ result, template, id })}, obviously ${JSON.stringify(wanted)}`);
        }
      },
    ),
    { numRuns: 3000 },
  );
  for (const [result, count] of Object.entries(seen)) t.ok(count > 500, `${result} occurred often enough (${count})`);
});

t.test('a path made of any pattern and a valid id is matched, with that id', async () => {
  fc.assert(
    fc.property(
      patternText(8, 3),
      fc.string({ unit: fc.constantFrom('a', 'Z', '/', '%', 'ä', '😀', ' ', '?', '#', '-'), minLength: 1, maxLength: 9 }),
      (text, id) => {
        const format: IdFormat = { kind: 'charset', charset: 'a-zA-Z/%ä😀 ?#-', min_length: 1, max_length: 9 };
        const matcher = compiled([{ name: text, path_pattern: text, id_format: format, active: true }]);
        const found = matchTemplate(
          matcher,
          text.replace('{id}', () => encodeURIComponent(id)),
        );
        return found.result === 'match' && found.id === id;
      },
    ),
    { numRuns: 2000 },
  );
});

/** Every text of up to `max` characters over the alphabet. */
function textsUpTo(alphabet: readonly string[], max: number): string[] {
  const all: string[] = [];
  let layer = [''];
  for (let length = 1; length <= max; length++) {
    layer = layer.flatMap((text) => alphabet.map((character) => text + character));
    all.push(...layer);
  }
  return all;
}

function pathsOf(segments: readonly string[], count: number): string[] {
  let paths = [''];
  for (let index = 0; index < count; index++) paths = paths.flatMap((start) => segments.map((segment) => `${start}/${segment}`));
  return paths;
}

t.test('two patterns overlap exactly if a search of all short paths finds one that both match', async (t) => {
  const format: IdFormat = { kind: 'charset', charset: 'ab-', min_length: 1, max_length: 9 };
  // In a shortest common path, no segment is longer than prefix, one character and suffix.
  const searches = [
    { segments: 2, literalMax: 2, paths: pathsOf(textsUpTo(['a', 'b'], 5), 2), runs: 60 },
    { segments: 3, literalMax: 1, paths: pathsOf(textsUpTo(['a', 'b'], 3), 3), runs: 150 },
  ];
  const seen = { overlap: 0, apart: 0 };
  const twoLetters = (segments: number, literalMax: number) =>
    patternText(segments, literalMax)
      .map((text) => text.replaceAll('-', 'b'))
      .filter((text) => text.split('/').length === segments + 1);
  for (const search of searches)
    fc.assert(
      fc.property(twoLetters(search.segments, search.literalMax), twoLetters(search.segments, search.literalMax), (a, b) => {
        const one = [{ name: 'a', path_pattern: a, id_format: format, active: true }];
        const other = [{ name: 'b', path_pattern: b, id_format: format, active: true }];
        const witness = search.paths.find(
          (text) => obviouslyResolve(one, text).result === 'match' && obviouslyResolve(other, text).result === 'match',
        );
        const overlap = patternsOverlap(pattern(a), pattern(b));
        seen[overlap ? 'overlap' : 'apart']++;
        if (overlap !== (witness !== undefined) || overlap !== patternsOverlap(pattern(b), pattern(a)))
          throw new Error(`${a} and ${b}: ${overlap}, but the search found ${witness}`);
      }),
      { numRuns: search.runs },
    );
  t.ok(seen.overlap > 10 && seen.apart > 10, `both results occurred: ${JSON.stringify(seen)}`);
});

t.test('patterns of different length never overlap, and each pattern overlaps itself', async () => {
  fc.assert(
    fc.property(patternText(8, 3), patternText(8, 3), (a, b) => {
      const [one, other] = [pattern(a), pattern(b)];
      return patternsOverlap(one, one) && (one.segments.length === other.segments.length || !patternsOverlap(one, other));
    }),
  );
});

t.test('the compiled tables of an id format accept exactly the ids that a direct check accepts', async (t) => {
  const seen = { fits: 0, not: 0 };
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEFg-'), minLength: 36, maxLength: 36 });
  const anyId = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'b', '-', '_', '1', '/', '%', 'ä', 'ö', '😀', '😃', '😄', '.', 'Z'), maxLength: 9 }),
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 22 }),
    fc.string({ unit: fc.constantFrom(...'aZ09'), minLength: 60, maxLength: 130 }),
    fc.uuid().map((uuid) => uuid.toUpperCase()),
    fc.uuid(),
    hex,
    fc.ulid(),
    fc.string({ unit: fc.constantFrom(...'0123456789ABCDEFGHJKMNPQRSTVWXYZilou'), minLength: 25, maxLength: 27 }),
  );
  fc.assert(
    fc.property(idFormat, anyId, (format, id) => {
      const fits = idFault(compileIdFormat(format), id) === '';
      seen[fits ? 'fits' : 'not']++;
      return fits === obviouslyFits(format, id);
    }),
    { numRuns: 20_000 },
  );
  t.ok(seen.fits > 1000 && seen.not > 1000, `both results occurred: ${JSON.stringify(seen)}`);
});
