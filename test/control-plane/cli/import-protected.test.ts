import { join } from 'node:path';
import t from 'tap';
import { takeClicks } from '../../../engine/click-limits/sql.js';
import { importTarget } from './import-target.js';

const { client, environment, folder, imported, json, linksOf, run } = await importTarget(t);

t.test('an export leads nobody further than its links did: used clicks and passwords are not given back', async (t) => {
  const from = await environment();
  const web = 'https://shop.example/';
  const rows = [`free,${web},7,`, `half,${web},7,`, `locked,${web},,sesame`, `used,${web},2,`];
  await imported(['csv', '--env', from.id], `path,web,max_clicks,password\n${rows.join('\n')}\n`);
  const { rows: ids } = await client.query<{ id: string; path: string }>('SELECT id, path FROM links WHERE environment_id = $1', [from.id]);
  const idOf = (path: string) => ids.find((row) => row.path === path)?.id as string;
  await takeClicks(client, [
    { link_id: idOf('half'), clicks: 5 },
    { link_id: idOf('used'), clicks: 2 },
  ]);
  t.match(await linksOf(from), [{ clicks_left: 7 }, { clicks_left: 2 }, { clicks_left: null }, { clicks_left: 0, status: 'expired' }]);
  for (const format of ['ndjson', 'csv']) {
    const file = join(folder, `links.${format}`);
    await run(['export', 'links', '--env', from.id, '--format', format, '--output', file]);
    const to = await environment();
    const words = ['import', format, '--env', to.id, '--file', file];
    t.match(await json(words), { status: 1, value: { created: 4, with_losses: 2 } });
    t.match(
      await linksOf(to),
      [
        { path: 'free', status: 'active', max_clicks: 7 },
        { path: 'half', status: 'active', max_clicks: 2 },
        { path: 'locked', status: 'disabled' },
        { path: 'used', status: 'disabled', max_clicks: null },
      ],
      format,
    );
    t.match((await json(words)).value, { created: 0, exists: 4 });
  }
});
