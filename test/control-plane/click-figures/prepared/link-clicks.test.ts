import t from 'tap';
import { rebuildFigures } from '../../../../control-plane/click-figures/counting/rebuild.js';
import { lockShardsOf } from '../../../../control-plane/click-figures/locks/shard-locks.js';
import { createLinkSums } from '../../../../control-plane/click-figures/prepared/link-clicks.js';
import { shardOf } from '../../../../control-plane/click-figures/shards.js';
import { postgresClicks } from '../../../../control-plane/click-store/postgres-store.js';
import { createPool, createDatabase as databaseOf } from '../../../../control-plane/db/database.js';
import { erasePeople } from '../../../../control-plane/erasure/erase.js';
import { idToUuid, newId } from '../../../../shared/base/ids.js';
import { connect, countLoggedClicks, logClicks, loggedClick, makeEnvironment } from '../../../support/click-log.js';
import { createDatabase } from '../../../support/database.js';

const own = await createDatabase();
const client = await connect(own.url);
const pool = createPool(own.url, 4, 'link-clicks-test', () => {});
const database = databaseOf(pool);
t.teardown(async () => {
  await client.end();
  await pool.end();
  await own.drop();
});

const NOW = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;
/** So few links that a round has several steps. */
const STEP_LINKS = 3;

async function makeLink(environmentId: string): Promise<string> {
  const id = newId('link');
  await client.query(
    `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at) VALUES ($1, $2, $1, '/', now(), now())`,
    [id, environmentId],
  );
  return id;
}

/** Does all steps that are due, without waiting for the next round. Returns the number of steps. */
async function addUp(nowMs = NOW): Promise<number> {
  await client.query('UPDATE link_click_rounds SET began_at = ended_at');
  const sums = createLinkSums(database, STEP_LINKS);
  let steps = 0;
  while (await sums.step(nowMs)) steps++;
  return steps;
}

async function clicksOf(environmentNumber: number): Promise<Readonly<Record<string, number>>> {
  const { rows } = await client.query<{ link_id: string; human: number }>(
    'SELECT link_id, human::integer FROM link_clicks WHERE environment_number = $1 AND human > 0',
    [environmentNumber],
  );
  return Object.fromEntries(rows.map(({ link_id, human }) => [link_id, human]));
}

t.test('each link has its clicks by people of the last thirty days, without days that have passed', async (t) => {
  const environment = await makeEnvironment(client);
  const links: string[] = [];
  for (let index = 0; index < 8; index++) links.push(await makeLink(environment.id));
  const [first, second, , , , , , last] = links as [string, string, string, string, string, string, string, string];
  const unclicked = await makeLink(environment.id);
  await logClicks(client, environment.number, [
    ...links.map((link) => loggedClick(link, NOW)),
    loggedClick(first, NOW - 29 * DAY_MS),
    loggedClick(first, NOW - 30 * DAY_MS),
    loggedClick(second, NOW, { bot: true }),
    loggedClick(unclicked, NOW, { bot: true }),
    loggedClick(newId('link'), NOW),
  ]);
  await countLoggedClicks(own.url, NOW);
  t.equal(await addUp(), 3 + 1, 'nine clicked links take four steps of three');
  t.same(await clicksOf(environment.number), { ...Object.fromEntries(links.map((link) => [link, 1])), [first]: 2 });
  t.equal(await addUp(), 0, 'nothing is added up without a change');
  await logClicks(client, environment.number, [loggedClick(last, NOW)]);
  await countLoggedClicks(own.url, NOW);
  t.ok((await addUp()) > 0);
  t.match(await clicksOf(environment.number), { [last]: 2, [first]: 2 });
  t.ok((await addUp(NOW + DAY_MS)) > 0);
  t.match(await clicksOf(environment.number), { [last]: 2, [first]: 1 });
  t.ok((await addUp(NOW + 30 * DAY_MS)) > 0);
  t.same(await clicksOf(environment.number), {});
});

t.test('an interrupted round is continued', async (t) => {
  // The previous test ended on a later day.
  await client.query('DELETE FROM link_click_rounds');
  await addUp();
  const environment = await makeEnvironment(client);
  const links: string[] = [];
  for (let index = 0; index < 5; index++) links.push(await makeLink(environment.id));
  await logClicks(
    client,
    environment.number,
    links.map((link) => loggedClick(link, NOW)),
  );
  await countLoggedClicks(own.url, NOW);
  t.ok(await createLinkSums(database, STEP_LINKS).step(NOW));
  t.equal(Object.keys(await clicksOf(environment.number)).length, STEP_LINKS);
  t.ok(await createLinkSums(databaseOf(pool), STEP_LINKS).step(NOW));
  t.equal(Object.keys(await clicksOf(environment.number)).length, 5);
  t.notOk(await createLinkSums(database, STEP_LINKS).step(NOW));
});

t.test('of two processes that found the same environments to be due, each adds up those that the other has not', async (t) => {
  await addUp();
  const environments = [await makeEnvironment(client), await makeEnvironment(client), await makeEnvironment(client)];
  for (const { id, number } of environments) await logClicks(client, number, [loggedClick(await makeLink(id), NOW)]);
  await countLoggedClicks(own.url, NOW);
  await client.query('UPDATE link_click_rounds SET began_at = ended_at');
  const [one, other] = [createLinkSums(database, STEP_LINKS), createLinkSums(databaseOf(pool), STEP_LINKS)];
  t.strictSame([await one.step(NOW), await other.step(NOW), await one.step(NOW)], [true, true, true]);
  t.strictSame([await one.step(NOW), await other.step(NOW)], [false, false]);
  for (const { number } of environments) t.equal(Object.keys(await clicksOf(number)).length, 1);
});

t.test('an environment without changed figures is skipped, although its shard has a new version', async (t) => {
  const environment = await makeEnvironment(client);
  await addUp();
  await client.query('UPDATE click_shards SET version = version + 1 WHERE shard = $1', [shardOf(environment.number)]);
  t.equal(await addUp(), 0);
});

t.test('clicks that a recount moves to another link are added up again', async (t) => {
  const environment = await makeEnvironment(client);
  const [from, to] = [await makeLink(environment.id), await makeLink(environment.id)];
  await logClicks(client, environment.number, [loggedClick(from, NOW), loggedClick(to, NOW), loggedClick(from, NOW)]);
  await countLoggedClicks(own.url, NOW);
  await addUp();
  t.same(await clicksOf(environment.number), { [from]: 2, [to]: 1 });
  await client.query('UPDATE clicks SET subject_id = $2 WHERE environment_number = $1', [environment.number, idToUuid('link', to)]);
  t.match(await rebuildFigures(database, { from: '2026-11-20', to: '2026-11-20', environmentId: environment.id }), { changed: 1 });
  t.ok((await addUp()) > 0);
  t.same(await clicksOf(environment.number), { [to]: 3 });
  t.equal(await addUp(), 0);
});

t.test('figures of a locked shard are added up later', async (t) => {
  const environment = await makeEnvironment(client);
  const link = await makeLink(environment.id);
  await logClicks(client, environment.number, [loggedClick(link, NOW)]);
  await countLoggedClicks(own.url, NOW);
  await database.transaction(async (transaction) => {
    await lockShardsOf(transaction, null);
    t.equal(await addUp(), 0);
  });
  t.ok((await addUp()) > 0);
  t.same(await clicksOf(environment.number), { [link]: 1 });
});

t.test('an erasure sets the clicks of links to zero, and a deleted link loses its row', async (t) => {
  const environment = await makeEnvironment(client);
  const link = await makeLink(environment.id);
  await logClicks(client, environment.number, [loggedClick(link, NOW)]);
  await countLoggedClicks(own.url, NOW);
  await addUp();
  const erased = await erasePeople({ database, clickStore: postgresClicks }, { ...environment } as Parameters<typeof erasePeople>[1]);
  t.match(erased, { link_clicks: 1 });
  t.same(await clicksOf(environment.number), {});
  t.ok((await addUp()) <= 1);
  const rows = async () => (await client.query('SELECT 1 FROM link_clicks WHERE link_id = $1', [link])).rowCount;
  t.equal(await rows(), 1);
  await client.query('DELETE FROM links WHERE id = $1', [link]);
  t.equal(await rows(), 0);
});
