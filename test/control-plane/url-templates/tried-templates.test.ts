import t from 'tap';
import { createProject } from '../../../control-plane/projects/projects.js';
import { findClickedTemplate, insertTemplate, listTriedTemplates } from '../../../control-plane/url-templates/sql.js';
import { templateMatcher } from '../../../control-plane/url-templates/template-matcher.js';
import { idAt } from '../../../shared/base/ids.js';
import { matchTemplate } from '../../../shared/resolve/match.js';
import { openPooledDatabase } from '../../support/open-database.js';
import fc from '../../support/properties.js';

const { client, database } = await openPooledDatabase(t);
const NOW_MS = Date.now();
const hosts = { test: { linkHost: 'test.example.com' }, live: { linkHost: 'go.example.com' } };
const { environments } = await createProject(database, { name: 'Demo', timeZone: 'UTC', hosts }, NOW_MS);
const environmentId = environments.live.id;
const typeId = idAt('resourceType', NOW_MS);
await client.query(
  `INSERT INTO resource_types (id, environment_id, key, name, status, created_at, updated_at) VALUES ($1, $2, 'shoe', 'Shoes', 'active', now(), now())`,
  [typeId, environmentId],
);

const PATTERNS = ['/p/{id}', '/a_b/x-{id}', '/docs/{id}.html', '/docs/{id}/print', '/s/{id}/t/u', '/~a.b/{id}', '/P/{id}', '/{id}/r_w/end'];
const ids: string[] = [];
for (const path_pattern of PATTERNS) {
  const id = idAt('urlTemplate', NOW_MS);
  ids.push(id);
  await insertTemplate(database, environmentId, {
    id,
    resource_type_id: typeId,
    resource_type: 'shoe',
    path_pattern,
    id_format: { kind: 'preset', preset: 'alnum' },
    deep_link_path: '/{id}',
    data: null,
    redirects: { ios: null, android: null, web: null, desktop: null, fallback: null },
    allow_param_passthrough: false,
    status: 'active',
    created_at: new Date(NOW_MS),
    updated_at: new Date(NOW_MS),
  });
}
const rows = (await Promise.all(ids.map((id) => findClickedTemplate(database, environmentId, id)))).filter((row) => row !== null);
const all = templateMatcher(rows);

const read = (path: string) => listTriedTemplates(database, environmentId, { path, archived: false });

t.test('of all templates, those are read that the path may lead to', async (t) => {
  const found = async (path: string) => (await read(path)).map(({ path_pattern }) => path_pattern);
  t.same(await found('/p/1'), ['/p/{id}']);
  t.same(await found('/%70/1/'), ['/p/{id}']);
  t.same(await found('/a_b/x-%00'), ['/a_b/x-{id}']);
  t.same(await found('/axb/x-1'), [], '"_" stands for itself');
  t.same(await found('/spring'), []);
  t.same(await found(`/p${'/1'.repeat(20)}`), [], 'no pattern has as many segments');
  t.same(await listTriedTemplates(database, environmentId, { path: '/p/1', archived: true }), []);
});

t.test('they match what all templates would match', async (t) => {
  const piece = fc.constantFrom(
    'p',
    'P',
    'a_b',
    'axb',
    'docs',
    's',
    't',
    'u',
    '~a.b',
    'r_w',
    'end',
    'print',
    'x-',
    '1',
    '.html',
    '%2F',
    '%70',
    '%zz',
    '%C3',
    '%00',
    '%',
    '_',
    '\\',
  );
  const segment = fc.array(piece, { minLength: 0, maxLength: 3 }).map((pieces) => pieces.join(''));
  const shaped = fc.constantFrom(...PATTERNS).chain((pattern) => segment.map((id) => pattern.replace('{id}', () => id)));
  const path = fc.oneof(
    shaped,
    shaped.map((text) => `${text}/`),
    fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => `/${segments.join('/')}`),
  );
  let matches = 0;
  await fc.assert(
    fc.asyncProperty(path, async (path) => {
      const shown = ({ template, ...match }: ReturnType<typeof matchTemplate<{ readonly id: string }>>) => ({ ...match, id: template?.id });
      const expected = matchTemplate(all, path);
      if (expected.template !== null) matches++;
      return JSON.stringify(shown(matchTemplate(templateMatcher(await read(path)), path))) === JSON.stringify(shown(expected));
    }),
    { numRuns: 1_000 },
  );
  t.ok(matches > 200, `${matches} matches`);
});
