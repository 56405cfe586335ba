import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { createPool, createDatabase as openDatabase } from '../../../control-plane/db/database.js';
import { RateLimiter } from '../../../control-plane/http/rate-limit.js';
import { createPresence } from '../../../control-plane/jobs/presence.js';
import { Peers, SILENT_MS } from '../../../control-plane/peers/peers.js';
import { createLogger } from '../../../shared/base/log.js';
import { createDatabase } from '../../support/database.js';
import { manualClock } from '../../support/manual-clock.js';
import { until } from '../../support/until.js';

const own = await createDatabase();
const pool = createPool(own.url, 4, 'test', () => {});
const database = openDatabase(pool);
t.teardown(async () => {
  await pool.end();
  await own.drop();
});
const clock = manualClock(1_000_000);
const log = createLogger('test', 'silent');

/** A control plane without a server: what it knows of its peers, and how it limits keys. `die` stops it without removing its row. */
function start(t: Test) {
  const id = randomUUID();
  const peers = new Peers(id, clock.now);
  const limiter = new RateLimiter(100, clock.now, () => peers.share);
  let dead = false;
  const mortal = new Proxy(database, {
    get: (target, name) => (dead && name === 'query' ? () => new Promise(() => {}) : Reflect.get(target, name)),
  });
  const presence = createPresence({ database: mortal, peers, connections: 30, log, clock: clock.now, intervalMs: 20 });
  presence.start();
  const stop = async () => {
    if (!dead) await presence.stop();
  };
  t.teardown(stop);
  return {
    peers,
    stop,
    die: () => {
      dead = true;
    },
    /** How many of `requests` requests of one key it allows. */
    allowed: (key: string, requests: number) =>
      Array.from({ length: requests }, () => limiter.count(key)).filter(({ allowed }) => allowed).length,
    limitSaid: (key: string) => limiter.count(key).headers['ratelimit-limit'],
  };
}

t.test('several control planes together allow a key the requests of one, and share out the part of one that dies or stops', async (t) => {
  const all = [start(t), start(t), start(t)];
  const count = (members: typeof all, wanted: number) =>
    until(async () => members.every(({ peers }) => peers.share.count === wanted), `${wanted} known control planes`);
  await count(all, 3);
  t.equal(
    all.reduce((sum, { allowed }) => sum + allowed('key', 100), 0),
    100,
  );
  t.strictSame(all.map(({ limitSaid }) => limitSaid('other')).sort(), ['33', '33', '34'], 'the header has the limit of this control plane');

  const [first, second, third] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0]];
  third.die();
  // Its pending statements have been written by then.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const seen = async () =>
    (await database.query<{ count: number }>({ text: 'SELECT count(*)::integer AS count FROM control_planes', values: [] })).rows;
  clock.advance(SILENT_MS - 1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.equal(first.peers.share.count, 3, 'a short silence does not remove a control plane');
  // The clock advances in steps, so that the rows of live control planes are updated in between.
  clock.advance(1);
  await count([first, second], 2);
  t.strictSame(await seen(), [{ count: 2 }], 'the row of the dead control plane is removed');
  t.equal(first.allowed('later', 100) + second.allowed('later', 100), 100);

  await second.stop();
  await count([first], 1);
  t.equal(first.allowed('last', 200), 100, 'the part of a stopped control plane is shared out at once');
});
