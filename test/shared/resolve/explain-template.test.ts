import t from 'tap';
import { compileTemplates, type RouteState } from '../../../shared/resolve/compile.js';
import { explainPath, readTriedPath } from '../../../shared/resolve/explain-template.js';
import { compileIdFormat } from '../../../shared/resolve/id-matcher.js';
import { parsePattern } from '../../../shared/resolve/pattern.js';
import fc from '../../support/properties.js';

t.test('a URL or path is read as a browser would send it', async (t) => {
  const table: [string, string | null, string | null, string][] = [
    ['/p/42', '/p/42', null, ''],
    ['/p/42?x=1#y', '/p/42', null, 'x=1'],
    ['https://go.example:8080/p/42?x=1', '/p/42', 'go.example:8080', 'x=1'],
    ['HTTP://GO.example/p/42', '/p/42', 'go.example', ''],
    ['https://go.example', '/', 'go.example', ''],
    ['//evil.example/p', '//evil.example/p', null, ''],
    ['/p/a/../42', '/p/42', null, ''],
    ['/p/ä b', '/p/%C3%A4%20b', null, ''],
    ['/p/%zz', '/p/%zz', null, ''],
    ['/p/%2F', '/p/%2F', null, ''],
    ['/p/\ud800', '/p/%EF%BF%BD', null, ''],
    ['p/42', null, null, ''],
    ['', null, null, ''],
    ['javascript:alert(1)', null, null, ''],
    ['shop://item/1', null, null, ''],
    ['https://', null, null, ''],
  ];
  for (const [text, path, host, query] of table) t.same(readTriedPath(text), path === null ? null : { path, host, query }, text);
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => readTriedPath(`/${text}`)?.path.startsWith('/') === true));
});

t.test('every answer has an explanation, also for the pattern of an archived template', async (t) => {
  const route = (text: string, state: RouteState = 'active') => {
    const parsed = parsePattern(text);
    if (!parsed.ok) throw new Error(text);
    return { pattern: parsed.value, id_matcher: compileIdFormat({ kind: 'preset', preset: 'numeric' }), state, template: text };
  };
  const live = compileTemplates([route('/p/{id}'), route('/off/{id}', 'disabled'), route('/type/{id}', 'resource_type_archived')]);
  const archived = compileTemplates([route('/old/{id}'), route('/p/{id}')]);
  const table: [string, string, RegExp][] = [
    ['/p/42', 'match', /matches the pattern/],
    ['/p/x', 'invalid_id', /character/],
    ['/p/%', 'invalid_id', /hexadecimal/],
    ['/off/1', 'no_template', /disabled/],
    ['/type/1', 'no_template', /archived resource type/],
    ['/old/1', 'no_template', /archived template/],
    ['/old/x', 'no_template', /archived template/],
    ['/none/1', 'no_template', /^No template has a pattern that matches the path\.$/],
  ];
  for (const [path, result, detail] of table) t.match(explainPath(live, archived, path), { result, detail }, path);
  t.equal(explainPath(live, archived, '/old/1').template, null, 'the archived template itself is not in the answer');
});
