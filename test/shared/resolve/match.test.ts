import t from 'tap';
import type { IdFormat } from '../../../shared/records/id-format.js';
import { compileTemplates, type RouteState } from '../../../shared/resolve/compile.js';
import { compileIdFormat } from '../../../shared/resolve/id-matcher.js';
import { matchTemplate } from '../../../shared/resolve/match.js';
import { parsePattern } from '../../../shared/resolve/pattern.js';

function route(text: string, format: IdFormat, state: RouteState = 'active') {
  const parsed = parsePattern(text);
  if (!parsed.ok) throw new Error(`${text} is not a pattern`);
  return { pattern: parsed.value, id_matcher: compileIdFormat(format), state, template: text };
}

const numeric: IdFormat = { kind: 'preset', preset: 'numeric' };
const words: IdFormat = { kind: 'charset', charset: 'a-z/ä😀%.-', min_length: 1, max_length: 10 };

const matcher = compileTemplates([
  route('/p/{id}', numeric),
  route('/p/{id}/reviews', numeric),
  route('/shop/item-{id}', words),
  route('/shop/{id}.html', numeric),
  route('/{id}/about', words),
  route('/off/{id}', numeric, 'disabled'),
  route('/gone/{id}', numeric, 'resource_type_archived'),
]);

t.test('a path matches a template, has an invalid id or matches nothing, with the reason', async (t) => {
  const table: [string, string, string | null, string | null, string][] = [
    ['/p/42', 'match', '/p/{id}', '42', ''],
    ['/p/42/', 'match', '/p/{id}', '42', ''],
    ['/p/42//', 'no_template', null, null, 'no_pattern'],
    ['/p//', 'no_template', null, null, 'no_pattern'],
    ['/p/', 'no_template', null, null, 'no_pattern'],
    ['/p', 'no_template', null, null, 'no_pattern'],
    ['/', 'no_template', null, null, 'no_pattern'],
    ['', 'no_template', null, null, 'no_pattern'],
    ['p/42', 'no_template', null, null, 'no_pattern'],
    ['/P/42', 'no_template', null, null, 'no_pattern'],
    ['/p/42/reviews', 'match', '/p/{id}/reviews', '42', ''],
    ['/p/42/reviews/1', 'no_template', null, null, 'no_pattern'],
    ['/p/x', 'invalid_id', '/p/{id}', 'x', 'invalid_character'],
    ['/p/123456789012345678901', 'invalid_id', '/p/{id}', '123456789012345678901', 'too_long'],
    ['/%70/%34%32', 'match', '/p/{id}', '42', ''],
    ['/p/%3432', 'match', '/p/{id}', '432', ''],
    ['/p/%2534', 'invalid_id', '/p/{id}', '%34', 'invalid_character'],
    ['/p%2F42', 'no_template', null, null, 'no_pattern'],
    ['/p/%', 'invalid_id', '/p/{id}', null, 'malformed_escape'],
    ['/p/4%2', 'invalid_id', '/p/{id}', null, 'malformed_escape'],
    ['/p/%g0', 'invalid_id', '/p/{id}', null, 'malformed_escape'],
    ['/p/%FF', 'invalid_id', '/p/{id}', null, 'invalid_utf8'],
    ['/p/%C0%AF', 'invalid_id', '/p/{id}', null, 'invalid_utf8'],
    ['/p/%ED%A0%80', 'invalid_id', '/p/{id}', null, 'invalid_utf8'],
    ['/p/%00', 'invalid_id', '/p/{id}', '\0', 'invalid_character'],
    ['/%zz/42', 'no_template', null, null, 'no_pattern'],
    ['/p/42/rev%iews', 'no_template', null, null, 'no_pattern'],
    ['/shop/item-a%2Fb', 'match', '/shop/item-{id}', 'a/b', ''],
    ['/shop/item%2Da', 'match', '/shop/item-{id}', 'a', ''],
    ['/shop/item-%2', 'invalid_id', '/shop/item-{id}', null, 'malformed_escape'],
    ['/shop/item-', 'no_template', null, null, 'no_pattern'],
    ['/shop/item-%C3%A4%F0%9F%98%80', 'match', '/shop/item-{id}', 'ä😀', ''],
    ['/shop/item-ä😀', 'match', '/shop/item-{id}', 'ä😀', ''],
    ['/shop/item-\ud83d', 'invalid_id', '/shop/item-{id}', '\ud83d', 'invalid_character'],
    ['/shop/item-..', 'invalid_id', '/shop/item-{id}', '..', 'dot_segment'],
    ['/shop/item-%2e%2E', 'invalid_id', '/shop/item-{id}', '..', 'dot_segment'],
    ['/shop/7.html', 'match', '/shop/{id}.html', '7', ''],
    ['/shop/.html', 'no_template', null, null, 'no_pattern'],
    ['/abc/about', 'match', '/{id}/about', 'abc', ''],
    ['/.well-known/about', 'no_template', null, null, 'no_pattern'],
    ['/health/about', 'no_template', null, null, 'no_pattern'],
    ['/%2ewell-known/about', 'no_template', null, null, 'no_pattern'],
    ['/off/42', 'no_template', '/off/{id}', null, 'template_disabled'],
    ['/off/x', 'no_template', '/off/{id}', null, 'template_disabled'],
    ['/gone/42', 'no_template', '/gone/{id}', null, 'resource_type_archived'],
    ['/a/b/c/d/e/f/g/h/i', 'no_template', null, null, 'no_pattern'],
    [`/${'a/'.repeat(100_000)}`, 'no_template', null, null, 'no_pattern'],
  ];
  for (const [path, result, template, id, reason] of table)
    t.same(matchTemplate(matcher, path), { result, template, id, reason }, path.slice(0, 60));
});

t.test('a set without templates matches nothing', async (t) => {
  const empty = compileTemplates([]);
  t.equal(matchTemplate(empty, '/p/42').result, 'no_template');
  t.equal(empty.template_count, 0);
});

t.test('of two templates with the same pattern the first one is used', async (t) => {
  const twice = compileTemplates([route('/p/{id}', numeric), { ...route('/p/{id}', words), template: 'second' }]);
  t.equal(matchTemplate(twice, '/p/1').template, '/p/{id}');
});

t.test('templates that are added later do not change an earlier matcher', async (t) => {
  const routes = [route('/p/{id}', numeric)];
  const before = compileTemplates(routes);
  routes.push(route('/q/{id}', numeric));
  const after = compileTemplates(routes);
  t.equal(matchTemplate(before, '/q/1').result, 'no_template');
  t.equal(matchTemplate(after, '/q/1').result, 'match');
});

/** Counts the look-ups in maps that the work makes, because that measure of a match's cost is the same on a busy machine. */
function countLookUps(work: () => void): number {
  const { get } = Map.prototype;
  let count = 0;
  Map.prototype.get = function (this: Map<unknown, unknown>, key: unknown) {
    count++;
    return get.call(this, key);
  };
  try {
    work();
  } finally {
    Map.prototype.get = get;
  }
  return count;
}

t.test('a match takes as many look-ups among 100,000 templates as among 20', async (t) => {
  const shapes = [
    (number: number) => `/shop/item${number}-{id}`,
    (number: number) => `/s${number}/{id}`,
    (number: number) => `/{id}/r${number}`,
    (number: number) => `/docs/en/{id}.v${number}`,
  ];
  const text = (index: number) => (shapes[index % 4] as (typeof shapes)[0])(100_000 + index);
  const set = (count: number) => compileTemplates(Array.from({ length: count }, (_, index) => route(text(index), numeric)));
  const [few, many] = [set(20), set(100_000)];
  for (let index = 0; index < 20; index++) {
    const path = text(index).replace('{id}', '42');
    const [one, other] = [few, many].map((matcher) => countLookUps(() => matchTemplate(matcher, path)));
    t.equal(matchTemplate(many, path).result, 'match', path);
    t.ok(one === other && (one as number) > 0 && (one as number) < 12, `${path}: ${one} and ${other} look-ups`);
  }
  const missing = ['/none/1', '/shop/item1-2', '/1/r1', '/a/b/c/d/e/f/g/h'];
  for (const path of missing)
    t.equal(
      countLookUps(() => matchTemplate(few, path)),
      countLookUps(() => matchTemplate(many, path)),
      path,
    );
});
