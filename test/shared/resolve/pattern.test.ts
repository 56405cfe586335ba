import t from 'tap';
import { patternsOverlap } from '../../../shared/resolve/overlap.js';
import { type PathPattern, parsePattern } from '../../../shared/resolve/pattern.js';

function codes(text: string): string[] {
  const parsed = parsePattern(text);
  return parsed.ok ? [] : parsed.issues.map((issue) => issue.code).sort();
}

t.test('a valid pattern is parsed', async (t) => {
  const table: [string, Omit<PathPattern, 'text'>][] = [
    ['/p/{id}', { segments: ['p', ''], id_index: 1, prefix: '', suffix: '' }],
    ['/{id}/p', { segments: ['', 'p'], id_index: 0, prefix: '', suffix: '' }],
    ['/p/item-{id}', { segments: ['p', ''], id_index: 1, prefix: 'item-', suffix: '' }],
    ['/docs/{id}.html', { segments: ['docs', ''], id_index: 1, prefix: '', suffix: '.html' }],
    ['/a/b/c/d/e/f/g/x{id}y', { segments: ['a', 'b', 'c', 'd', 'e', 'f', 'g', ''], id_index: 7, prefix: 'x', suffix: 'y' }],
    ['/A-Z.a_z~9/{id}', { segments: ['A-Z.a_z~9', ''], id_index: 1, prefix: '', suffix: '' }],
    ['/.well/{id}', { segments: ['.well', ''], id_index: 1, prefix: '', suffix: '' }],
    ['/{id}/assetlinks.json', { segments: ['', 'assetlinks.json'], id_index: 0, prefix: '', suffix: '' }],
    [`/${'a'.repeat(249)}/{id}`, { segments: ['a'.repeat(249), ''], id_index: 1, prefix: '', suffix: '' }],
  ];
  for (const [text, wanted] of table) t.same(parsePattern(text), { ok: true, value: { text, ...wanted } }, text);
});

t.test('an invalid pattern is refused with every kind of fault that it has', async (t) => {
  const table: [string, string[]][] = [
    ['', ['invalid_format']],
    ['p/{id}', ['invalid_format']],
    ['https://link.example/p/{id}', ['invalid_format']],
    ['/{id}', ['segment_count']],
    ['/a/b/c/d/e/f/g/h/{id}', ['segment_count']],
    ['/p/x', ['id_count']],
    ['/p/{id}/{id}', ['id_count']],
    ['/p/{id}{id}', ['id_count']],
    ['/p/{ID}', ['id_count', 'unknown_placeholder']],
    ['/p/{id}/{type}', ['unknown_placeholder']],
    ['/p/{{id}}', ['unknown_placeholder']],
    ['/p//{id}', ['empty_segment']],
    ['/p/{id}/', ['empty_segment']],
    ['//{id}', ['empty_segment']],
    ['/../{id}', ['dot_segment']],
    ['/p/./{id}', ['dot_segment']],
    ['/p q/{id}', ['invalid_character']],
    ['/p%20q/{id}', ['invalid_character']],
    ['/p/{id}?a=b', ['invalid_character']],
    ['/p/{id}#a', ['invalid_character']],
    ['/p:q/{id}', ['invalid_character']],
    ['/ü/{id}', ['invalid_character']],
    ['/p/*/{id}', ['invalid_character']],
    ['/p\n/{id}', ['invalid_character']],
    ['/.well-known/{id}', ['reserved']],
    ['/.well-known/a/{id}', ['reserved']],
    ['/health/{id}', ['reserved']],
    [`/${'a'.repeat(250)}/{id}`, ['too_long']],
    ['/.well-known//ä/x', ['empty_segment', 'id_count', 'invalid_character', 'reserved']],
  ];
  for (const [text, wanted] of table) t.same(codes(text), wanted, text);
  const parsed = parsePattern('/p', '/items/3/path_pattern');
  t.ok(
    !parsed.ok && parsed.issues.every((issue) => issue.pointer === '/items/3/path_pattern' && issue.detail !== ''),
    'at the pointer given',
  );
});

t.test('overlapping patterns are recognised', async (t) => {
  const table: [string, string, boolean][] = [
    ['/p/{id}', '/p/{id}', true],
    ['/p/{id}', '/q/{id}', false],
    ['/p/{id}', '/P/{id}', false],
    ['/p/{id}', '/p/{id}/x', false],
    ['/p/{id}', '/{id}/p', true],
    ['/p/{id}/x', '/p/y/{id}', true],
    ['/p/{id}/x', '/q/y/{id}', false],
    ['/p/a{id}', '/p/{id}', true],
    ['/p/a{id}', '/p/b{id}', false],
    ['/p/a{id}', '/p/ab{id}', true],
    ['/p/a{id}', '/p/{id}b', true],
    ['/p/{id}.html', '/p/{id}.pdf', false],
    ['/p/{id}.html', '/p/{id}l', true],
    ['/p/a{id}x', '/p/ab{id}y', false],
    ['/p/{id}/a', '/p/a{id}/a', true],
    ['/{id}/item-', '/x/item-{id}', false],
    ['/{id}/item-9', '/x/item-{id}', true],
  ];
  for (const [a, b, wanted] of table) {
    const [one, other] = [parsePattern(a), parsePattern(b)];
    if (!one.ok || !other.ok) throw new Error(`${a} or ${b} is not a pattern`);
    t.equal(patternsOverlap(one.value, other.value), wanted, `${a} and ${b}`);
    t.equal(patternsOverlap(other.value, one.value), wanted, `${b} and ${a}`);
  }
});
