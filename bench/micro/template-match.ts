import { invariant } from '../../shared/base/invariant.js';
import { compileTemplates, type TemplateMatcher } from '../../shared/resolve/compile.js';
import { compileIdFormat } from '../../shared/resolve/id-matcher.js';
import { matchTemplate } from '../../shared/resolve/match.js';
import { parsePattern } from '../../shared/resolve/pattern.js';
import { spreadOf } from '../load/statistics.js';

/**
 * Nanoseconds of one match with few and with many templates of the same four shapes, in turn, in one process: `node
 * dist/bench/micro/template-match.js`. The work is the same by construction (a test counts the lookups); what differs
 * is how much of the larger table the processor's caches hold.
 */
const COUNTS = [20, 100_000];
const ROUNDS = 7;
const MATCHES = 500_000;
const PATHS = 4096;

const SHAPES: readonly ((number: number) => string)[] = [
  (number) => `/shop/item${number}-{id}`,
  (number) => `/s${number}/{id}`,
  (number) => `/{id}/r${number}`,
  (number) => `/docs/en/{id}.v${number}`,
];

/** Numbers of one width, so that both sets have literals of the same lengths. */
function patternText(index: number): string {
  return (SHAPES[index % SHAPES.length] as (number: number) => string)(100_000 + index);
}

function compileSet(count: number): TemplateMatcher<number> {
  const id_matcher = compileIdFormat({ kind: 'preset', preset: 'numeric' });
  return compileTemplates(
    Array.from({ length: count }, (_, template) => {
      const parsed = parsePattern(patternText(template));
      invariant(parsed.ok, 'the patterns of this bench are legal');
      return { pattern: parsed.value, id_matcher, state: 'active' as const, template };
    }),
  );
}

function nanosecondsPerMatch(matcher: TemplateMatcher<number>, paths: readonly string[]): number {
  let matched = 0;
  const started = process.hrtime.bigint();
  for (let index = 0; index < MATCHES; index++) if (matchTemplate(matcher, paths[index % PATHS] as string).result === 'match') matched++;
  const spent = Number(process.hrtime.bigint() - started) / MATCHES;
  invariant(matched === MATCHES, 'every path of this bench matches');
  return spent;
}

const sets = COUNTS.map((count) => ({
  count,
  matcher: compileSet(count),
  // A stride that shares no factor with the counts visits the templates in an order that is unrelated to memory.
  paths: Array.from({ length: PATHS }, (_, index) => patternText((index * 7919) % count).replace('{id}', '1234567')),
  spent: [] as number[],
}));
for (let round = 0; round <= ROUNDS; round++)
  for (const set of sets) {
    const spent = nanosecondsPerMatch(set.matcher, set.paths);
    // The first round warms up.
    if (round > 0) set.spent.push(spent);
  }
for (const set of sets) console.log(`${String(set.count).padStart(7)} templates: ${spreadOf(set.spent).median.toFixed(0)} ns/match`);
