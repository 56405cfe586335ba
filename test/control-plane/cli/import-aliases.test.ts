import { join } from 'node:path';
import t from 'tap';
import { importTarget } from './import-target.js';

const { client, environment, fileOf, folder, json, linksOf, run } = await importTarget(t);

t.test('aliases with a comma or a final blank survive an export and an import in both formats', async (t) => {
  const from = await environment();
  const paths = ['a,b', 'sale, now/1', 'c%2Cd', 'end ', 'ä,ö', "'=x,", 'plain'];
  const link = {
    path: 'home',
    destinations: { web: 'https://shop.example/' },
    aliases: paths.map((path) => ({ host: from.host, path })),
  };
  const file = fileOf('links.ndjson', `${JSON.stringify(link)}\n`);
  t.match((await json(['import', 'ndjson', '--env', from.id, '--file', file])).value, { created: 1, with_losses: 0 });
  const addressesOf = async ({ id }: { readonly id: string }) => {
    const { rows } = await client.query<{ normal_path: string }>('SELECT normal_path FROM link_aliases WHERE environment_id = $1', [id]);
    return rows.map(({ normal_path }) => normal_path).sort();
  };
  t.equal((await addressesOf(from)).length, paths.length);
  for (const format of ['csv', 'ndjson']) {
    const to = await environment();
    const exported = join(folder, `exported.${format}`);
    await run(['export', 'links', '--env', from.id, '--format', format, '--output', exported]);
    const words = ['import', format, '--env', to.id, '--file', exported, '--domain', `${from.host}=${to.host}`];
    t.match(await json(words), { status: 0, value: { created: 1, with_losses: 0 } }, format);
    t.same(await addressesOf(to), await addressesOf(from), format);
    const [link] = await linksOf(to);
    t.match(link?.aliases, { length: paths.length });
  }
});
