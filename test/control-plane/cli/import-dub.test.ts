import t from 'tap';
import { importTarget } from './import-target.js';

const { client, environment, imported, linksOf } = await importTarget(t);

t.test('Dub: a key with capitals works as written and in lower case', async (t) => {
  const target = await environment();
  const words = ['dub', '--env', target.id];
  const file =
    'domain,key,url\ndub.sh,Spring-Sale,https://shop.example/1\ndub.sh,plain,https://shop.example/2\ndub.sh,A/Deep.Path,https://shop.example/3\n';
  const lines = await imported(words, file);
  t.match(lines, [
    { id: 'dub.sh/Spring-Sale', outcome: 'created', lost: [] },
    { id: 'dub.sh/plain', outcome: 'created', lost: [] },
    { id: 'dub.sh/A/Deep.Path', outcome: 'created', lost: [] },
  ]);
  const links = await linksOf(target);
  t.match(
    links.find(({ path }) => path === 'spring-sale'),
    { aliases: [{ host: target.host, path: 'Spring-Sale' }] },
  );
  t.match(
    links.find(({ path }) => path === 'plain'),
    { aliases: [] },
  );
  const { rows } = await client.query<{ normal_path: string }>(
    'SELECT normal_path FROM link_aliases WHERE environment_id = $1 ORDER BY normal_path COLLATE "C"',
    [target.id],
  );
  t.same(
    rows.map(({ normal_path }) => normal_path),
    ['A/Deep.Path', 'Spring-Sale', 'a/deep.path'],
  );
  t.same(
    (await imported(words, file)).map(({ outcome }) => outcome),
    ['exists', 'exists', 'exists'],
    'a second run finds the links',
  );
});

t.test('Dub: with --case-sensitive keys that differ only in case are different links', async (t) => {
  const target = await environment();
  const file =
    'domain,key,url\ndub.sh,Sale,https://shop.example/1\ndub.sh,sale,https://shop.example/2\ndub.sh,A/Deep,https://shop.example/3\n';
  const words = ['dub', '--env', target.id];
  const outcomes = async (...more: string[]) => (await imported([...words, ...more], file)).map(({ outcome }) => outcome);
  t.same(await outcomes('--dry-run'), ['created', 'failed', 'created'], 'without --case-sensitive both keys are one path');
  t.same(await outcomes('--case-sensitive'), ['created', 'created', 'created']);
  const links = await linksOf(target);
  for (const [path, web] of [
    ['Sale', 'https://shop.example/1'],
    ['sale', 'https://shop.example/2'],
  ] as const)
    t.match(
      links.find((link) => link.path === path),
      { destinations: { web }, aliases: [] },
      path,
    );
  const { rows } = await client.query<{ normal_path: string }>('SELECT normal_path FROM link_aliases WHERE environment_id = $1', [
    target.id,
  ]);
  t.same(
    rows.map(({ normal_path }) => normal_path),
    ['A/Deep'],
  );
  t.same(await outcomes('--case-sensitive'), ['exists', 'exists', 'exists'], 'a second run finds the links');
});
