import { join } from 'node:path';
import t from 'tap';
import { takeClicks } from '../../../engine/click-limits/sql.js';
import { importTarget } from './import-target.js';

const { client, environment, folder, imported, json, linksOf, run } = await importTarget(t);

t.test('links that are exported and imported regain no used clicks, and are disabled without their password', async (t) => {
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

t.test('a repeated import disables a link that its source has disabled, unless the link was changed here', async (t) => {
  const { id } = await environment();
  const lines = (status: string) =>
    ['asis', 'repaired'].map((path) => `${path},https://shop.example/,2021-01-01T00:00:00Z,${status}\n`).join('');
  const run = (status: string) => imported(['csv', '--env', id], `path,web,created_at,status\n${lines(status)}`);
  await run('active');
  t.match(await linksOf({ id }), [{ status: 'active' }, { status: 'active' }]);
  // Changes the row as the API does.
  await client.query(`UPDATE links SET title = 'Ours', updated_at = now() WHERE path = 'repaired' AND environment_id = $1`, [id]);
  t.match(await run('disabled'), [
    { outcome: 'exists', lost: [] },
    { outcome: 'exists', lost: ['status'] },
  ]);
  t.match(await linksOf({ id }), [
    { path: 'asis', status: 'disabled' },
    { path: 'repaired', status: 'active' },
  ]);
});

t.test('a link that was imported as disabled and enabled here stays enabled', async (t) => {
  const { id } = await environment();
  const file = 'path,web,has_password\nlocked,https://shop.example/,true\n';
  t.match(await imported(['csv', '--env', id], file), [{ outcome: 'created', lost: ['password'] }]);
  t.match(await linksOf({ id }), [{ status: 'disabled' }]);
  t.match(await imported(['csv', '--env', id], file), [{ outcome: 'exists', lost: ['password'] }]);
  await client.query(`UPDATE links SET state = 'active', password = 'x', updated_at = now() WHERE environment_id = $1`, [id]);
  t.match(await imported(['csv', '--env', id], file), [{ outcome: 'exists', lost: ['password', 'status'] }]);
  t.match(await linksOf({ id }), [{ status: 'active' }]);
});
