import t from 'tap';
import { type GrantedClicks, takeClicks } from '../../../engine/click-limits/sql.js';
import { configFixture } from '../sync/config-fixture.js';

t.test('a link grants no more clicks than its limit, however many calls come at the same time', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const [environmentId] = fixture.environmentIds;
  await fixture.pool.query(
    `INSERT INTO links (id, environment_id, path, deep_link_path, max_clicks, created_at, updated_at)
     SELECT 'lnk_' || path, $1, path, '/', max_clicks, now(), now() FROM (VALUES ('few', 3), ('many', 500), ('free', NULL)) AS l (path, max_clicks)`,
    [environmentId],
  );
  const clients = await Promise.all([1, 2, 3, 4].map(() => fixture.pool.connect()));
  t.teardown(() => {
    for (const client of clients) client.release();
  });
  const [client] = clients;
  if (client === undefined) throw new Error('no client');
  const take = async (link_id: string, clicks: number) => (await takeClicks(client, [{ link_id, clicks }]))[0]?.granted;
  const usedUp = async () => (await fixture.pool.query(`SELECT path FROM links WHERE used_up_at IS NOT NULL ORDER BY path`)).rows;

  t.equal(await take('lnk_few', 2), 2);
  t.same(await usedUp(), []);
  t.equal(await take('lnk_few', 5), 1, 'only what is left is granted');
  t.same(await usedUp(), [{ path: 'few' }], 'the last click marks the link as used up');
  const { rows } = await fixture.pool.query(`SELECT object_key FROM config_feed WHERE kind = 'link' AND object_id = 'lnk_few'`);
  t.same(rows, [{ object_key: 'few' }], 'the engines are notified once');
  t.equal(await take('lnk_few', 1), 0);
  t.equal(await take('lnk_free', 4), undefined, 'clicks of a link without a limit are not counted');
  t.equal(await take('lnk_unknown', 4), undefined);

  const asked = [
    { link_id: 'lnk_many', clicks: 4 },
    { link_id: 'lnk_few', clicks: 1 },
  ];
  const answers = await Promise.all(
    clients.map(async (one) => {
      const granted: GrantedClicks[] = [];
      for (let call = 0; call < 50; call++) granted.push(...(await takeClicks(one, asked)));
      return granted;
    }),
  );
  const granted = answers.flat().filter(({ link_id }) => link_id === 'lnk_many');
  t.equal(
    granted.reduce((sum, row) => sum + row.granted, 0),
    500,
    'two hundred calls on four connections are granted 500 clicks in all',
  );
  t.same(await usedUp(), [{ path: 'few' }, { path: 'many' }]);

  await fixture.pool.query(`UPDATE links SET max_clicks = 5, used_up_at = NULL WHERE path = 'few'`);
  t.equal(await take('lnk_few', 4), 2, 'a higher limit leaves the difference');
  await fixture.pool.query(`UPDATE links SET max_clicks = 2 WHERE path = 'few'`);
  t.equal(await take('lnk_few', 1), 0, 'a lower limit grants nothing, and takes nothing back');
});
