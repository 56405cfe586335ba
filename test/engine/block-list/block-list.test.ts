import t from 'tap';
import { createBlockList, Judgements } from '../../../engine/block-list/block-list.js';
import { LookupUnavailableError } from '../../../engine/database/lookup-connection.js';
import { LONG_LINKS_REMEMBERED_MS, LONG_LINKS_WAITING_MAX } from '../../../shared/base/long-link-limits.js';
import { silentLog } from '../fixtures.js';
import { configFixture } from '../sync/config-fixture.js';

t.test('an engine finds what the operator has listed: hosts with all names below them, and single pages', async (t) => {
  const { url: databaseUrl, pool } = await configFixture(t, { assigning: false });
  await pool.query(`INSERT INTO blocklist_lists (name, format, entries, imported_at) VALUES ('a', 'plain', 2, now())`);
  await pool.query(`INSERT INTO blocklist_entries (key, list) VALUES ('bad.example', 'a'), ('shop.example/bad', 'a')`);
  const blockList = createBlockList({ databaseUrl, log: silentLog });
  t.teardown(() => blockList.stop());
  for (const [urls, listed] of [
    [['https://shop.example/', 'https://www.bad.example/a'], true],
    [['https://shop.example/bad#a'], true],
    [['https://shop.example/good', 'shop://bad.example'], false],
    [['shop://a'], false],
  ] as const) {
    t.equal(blockList.remembered(urls), undefined);
    t.equal(await blockList.isAnyListed(urls), listed, urls.join(' '));
    t.equal(blockList.remembered(urls), listed);
  }
});

t.test('without PostgreSQL no URL is judged', async (t) => {
  const blockList = createBlockList({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none', log: silentLog });
  t.teardown(() => blockList.stop());
  await t.rejects(blockList.isAnyListed(['https://shop.example/']), LookupUnavailableError);
  t.equal(blockList.remembered(['https://shop.example/']), undefined);
});

t.test('visitors of the same URLs share one query, and its result is remembered for a limited time', async (t) => {
  let now = 0;
  const asked: string[][] = [];
  const judgements = new Judgements(
    async (keys) => {
      asked.push(keys);
      return false;
    },
    () => now,
  );
  const urls = ['https://shop.example/'];
  t.same(await Promise.all([judgements.isAnyListed(urls), judgements.isAnyListed(urls)]), [false, false]);
  t.equal(asked.length, 1);
  now = LONG_LINKS_REMEMBERED_MS - 1;
  t.equal(judgements.remembered(urls), false);
  now = LONG_LINKS_REMEMBERED_MS;
  t.equal(judgements.remembered(urls), undefined);
});

t.test('more waiting URLs than the limit are refused, and after a failed query the database is asked again', async (t) => {
  const ends: ((error: Error) => void)[] = [];
  const judgements = new Judgements(
    () => new Promise((_resolve, reject) => ends.push(reject)),
    () => 0,
  );
  const waiting = Array.from({ length: LONG_LINKS_WAITING_MAX }, (_, index) => judgements.isAnyListed([`https://shop.example/${index}`]));
  await t.rejects(judgements.isAnyListed(['https://shop.example/more']), LookupUnavailableError);
  for (const end of ends) end(new LookupUnavailableError('away'));
  for (const { status } of await Promise.allSettled(waiting)) t.equal(status, 'rejected');
  judgements.isAnyListed(['https://shop.example/more']).catch(() => {});
  t.equal(ends.length, LONG_LINKS_WAITING_MAX + 1);
});
