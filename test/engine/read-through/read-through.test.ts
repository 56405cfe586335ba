import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { LookupUnavailableError } from '../../../engine/database/lookup-connection.js';
import {
  createReadThrough,
  type LinkLookup,
  type ReadThroughOptions,
  SharedReadThrough,
} from '../../../engine/read-through/read-through.js';
import { READ_THROUGH_ROUND_MS } from '../../../shared/base/limits.js';
import type { LinkRecord } from '../../../shared/records/records.js';
import { manualTimers } from '../../support/manual-scheduler.js';
import { until } from '../../support/until.js';
import { configFixture, following, log, openReader, startSync } from '../sync/config-fixture.js';

const LINK = { id: 'lnk_1', state: 'active' } as LinkRecord;

interface HeldStatement {
  readonly paths: readonly string[];
  /** Answers with the links of the paths, in order; null for a path without a link. */
  answer(...links: readonly (LinkRecord | null)[]): void;
  fail(): void;
}

/** A PostgreSQL that answers when the test lets it. */
function heldLookup() {
  const waiting: HeldStatement[] = [];
  const lookup: LinkLookup & { state: 'ready' | 'away' } = {
    state: 'ready',
    kind: () => lookup.state,
    stop: () => undefined,
    lookUp: (questions) =>
      new Promise((resolve, reject) => {
        const answer = (...links: readonly (LinkRecord | null)[]) =>
          resolve(
            new Map(
              questions.flatMap(({ key }, index): [string, LinkRecord][] => {
                const link = links[index] ?? null;
                return link === null ? [] : [[key, link]];
              }),
            ),
          );
        waiting.push({ paths: questions.map(({ path }) => path), answer, fail: () => reject(new LookupUnavailableError('gone')) });
      }),
  };
  return { lookup, waiting };
}

function bounded(options: Partial<ReadThroughOptions> = {}) {
  const clock = manualTimers();
  const { lookup, waiting } = heldLookup();
  const readThrough = new SharedReadThrough(lookup, { copyIsWhole: () => true, now: clock.now, schedule: clock.schedule, ...options });
  return { clock, lookup, waiting, readThrough, ask: (path = 'a') => readThrough.lookUp('env_1', 1, path) };
}

t.test('a path that no link can have is not looked up', async (t) => {
  const { ask, waiting } = bounded();
  for (const path of ['', 'a b', 'a/b', 'ä', 'x'.repeat(65), '\0']) t.equal(await ask(path), null);
  t.equal(waiting.length, 0);
});

t.test('visitors of one path share one query, and a found link answers them all', async (t) => {
  const { ask, waiting } = bounded();
  const visits = Array.from({ length: 50 }, () => ask());
  t.equal(waiting.length, 1);
  waiting[0]?.answer(LINK);
  t.ok((await Promise.all(visits)).every((link) => link === LINK));
});

t.test('a path that is missing in a query from before the visit is looked up again for the visit', async (t) => {
  const { ask, waiting, clock } = bounded();
  const before = ask();
  const after = [ask(), ask(), ask()];
  waiting[0]?.answer(null);
  t.equal(await before, null);
  clock.advance(READ_THROUGH_ROUND_MS);
  waiting[1]?.answer(LINK);
  t.ok((await Promise.all(after)).every((link) => link === LINK));
  t.equal(waiting.length, 2, 'there is one query for all three');
});

t.test('a found link is remembered for a second', async (t) => {
  const { ask, waiting, clock } = bounded();
  const first = ask();
  waiting[0]?.answer(LINK);
  await first;
  t.equal(await ask(), LINK);
  t.equal(waiting.length, 1);
  clock.advance(1000);
  const second = ask();
  t.equal(waiting.length, 2);
  waiting[1]?.answer(null);
  t.equal(await second, null);
});

t.test('a missing path is not remembered', async (t) => {
  const { ask, waiting, clock } = bounded();
  for (let visits = 1; visits <= 3; visits++) {
    const visit = ask();
    t.equal(waiting.length, visits);
    waiting.at(-1)?.answer(null);
    t.equal(await visit, null);
    clock.advance(READ_THROUGH_ROUND_MS);
  }
});

t.test('paths that arrive during a statement are all looked up by the next one', async (t) => {
  const { ask, waiting, clock, readThrough } = bounded();
  const first = ask('first');
  const others = ['a', 'b', 'a', 'c'].map((path) => ask(path));
  t.same(
    waiting.map(({ paths }) => paths),
    [['first']],
  );
  waiting[0]?.answer(null);
  await first;
  t.equal(waiting.length, 1, 'there is a pause between statements');
  clock.advance(READ_THROUGH_ROUND_MS);
  t.same(waiting[1]?.paths, ['a', 'b', 'c']);
  waiting[1]?.answer(null, LINK, null);
  t.same(await Promise.all(others), [null, LINK, null, null]);
  t.match(readThrough.stats(), { asked: 4, statements: 2, found: 1, missing: 3 });
});

t.test('beyond the limit of waiting paths a visit is not looked up, which is an error if the copy is incomplete', async (t) => {
  let whole = true;
  const { ask, waiting, clock, readThrough } = bounded({ copyIsWhole: () => whole });
  const visits = Array.from({ length: 1025 }, (_, n) => ask(`p${n}`));
  t.equal(await ask('one-more'), undefined);
  whole = false;
  await t.rejects(ask('another'), LookupUnavailableError);
  t.equal(readThrough.stats().refused, 2);
  t.equal(waiting.length, 1);
  whole = true;
  waiting[0]?.answer();
  await sleep(0);
  clock.advance(READ_THROUGH_ROUND_MS);
  t.equal(waiting[1]?.paths.length, 1024);
  waiting[1]?.answer();
  await Promise.all(visits);
});

t.test('a path is not looked up after its visitors have stopped waiting', async (t) => {
  const { ask, waiting, clock } = bounded();
  const visits = [ask('a'), ask('b')];
  clock.advance(550);
  await Promise.all(visits);
  const late = ask('c');
  waiting[0]?.answer(null);
  await sleep(0);
  t.same(waiting[1]?.paths, ['c']);
  waiting[1]?.answer(LINK);
  t.equal(await late, LINK);
});

t.test('a failed statement fails all who wait for it, and the next statement is still made', async (t) => {
  const { ask, waiting, clock } = bounded({ copyIsWhole: () => false });
  const visits = [ask('a'), ask('b')];
  waiting[0]?.fail();
  await t.rejects(visits[0] as Promise<unknown>, LookupUnavailableError);
  clock.advance(READ_THROUGH_ROUND_MS);
  waiting[1]?.answer(LINK);
  t.equal(await visits[1], LINK);
});

t.test('no visit waits longer than the deadline, and the late answer serves later visits', async (t) => {
  const { ask, waiting, clock, readThrough } = bounded();
  const late = ask();
  clock.advance(499);
  t.equal(readThrough.stats().late, 0);
  clock.advance(1);
  t.equal(await late, undefined);
  t.equal(readThrough.stats().late, 1);
  waiting[0]?.answer(LINK);
  await sleep(0);
  t.equal(await ask(), LINK);
  t.equal(waiting.length, 1);
});

t.test('while PostgreSQL hangs a visit waits 50 ms, and once it answers in time visits wait longer again', async (t) => {
  const { ask, waiting, clock, readThrough } = bounded();
  const first = ask('a');
  clock.advance(500);
  await first;
  t.equal(readThrough.stats().shortened, true);
  for (const path of ['b', 'c', 'd']) {
    const began = clock.now();
    let settledAt = Number.NaN;
    const visit = ask(path).then(() => {
      settledAt = clock.now();
    });
    for (let step = 0; step < 10; step++) {
      t.ok(Number.isNaN(settledAt));
      clock.advance(5);
    }
    await visit;
    t.equal(settledAt - began, 50, path);
  }
  t.equal(readThrough.stats().late, 4);
  t.equal(waiting.length, 1, 'PostgreSQL still works on the first query');
  waiting[0]?.answer(null);
  await sleep(0);
  t.equal(readThrough.stats().shortened, true, 'that answer took too long');
  const quick = ask('e');
  clock.advance(READ_THROUGH_ROUND_MS);
  waiting.at(-1)?.answer(null);
  t.equal(await quick, null);
  t.equal(readThrough.stats().shortened, false);
  clock.advance(READ_THROUGH_ROUND_MS);
  const unhurried = ask('f');
  clock.advance(499);
  waiting.at(-1)?.answer(LINK);
  t.equal(await unhurried, LINK);
});

t.test('a look-up that times out is an error if the copy is incomplete', async (t) => {
  const { ask, clock } = bounded({ copyIsWhole: () => false });
  const visit = ask();
  clock.advance(500);
  await t.rejects(visit, LookupUnavailableError);
});

t.test('no visit waits for a PostgreSQL that is known to be away', async (t) => {
  const { ask, waiting, lookup } = bounded();
  lookup.state = 'away';
  t.equal(await ask(), undefined);
  t.equal(waiting.length, 0);
  lookup.state = 'ready';
  const asking = ask();
  waiting[0]?.fail();
  t.equal(await asking, undefined);
});

function started(t: Test, databaseUrl: string, options: Partial<ReadThroughOptions> = {}) {
  const readThrough = createReadThrough({ databaseUrl, log, copyIsWhole: () => true, ...options });
  t.teardown(() => readThrough.stop());
  return readThrough;
}

t.test('links are found with their state, and those of another environment are not found', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const readThrough = started(t, fixture.url, { deadlineMs: 5000 });
  const [live, test] = fixture.environmentIds;
  for (const state of ['active', 'disabled', 'blocked', 'deleted']) {
    const id = await fixture.createLink(state);
    await fixture.pool.query(
      `UPDATE links SET state = $2::text, deleted_at = CASE WHEN $2::text = 'deleted' THEN now() END WHERE id = $1`,
      [id, state],
    );
    t.match(await readThrough.lookUp(live, 1, state), { id, state });
    t.equal(await readThrough.lookUp(test, 2, state), null);
  }
});

t.test('a link is found at once after it is created, though its path was missing just before, every time', async (t) => {
  const fixture = await configFixture(t);
  const dir = t.testdir();
  const sync = startSync(t, fixture.url, dir);
  const reader = openReader(t, dir);
  await following(sync);
  const readThrough = started(t, fixture.url, { deadlineMs: 5000 });
  const visit = async (path: string) => reader.findLink(1, path) ?? (await readThrough.lookUp(fixture.environmentIds[0], 1, path));
  let asking = true;
  const others = (async () => {
    for (let n = 0; asking; n++) {
      void visit(`p${n % 200}`);
      await sleep(1);
    }
  })();
  const wrong: string[] = [];
  for (let n = 0; n < 200; n++) {
    if ((await visit(`p${n}`)) !== null) wrong.push(`p${n} before`);
    const id = await fixture.createLink(`p${n}`);
    const found = await Promise.all([visit(`p${n}`), visit(`p${n}`)]);
    if (!found.every((link) => link?.id === id)) wrong.push(`p${n} after`);
  }
  asking = false;
  await others;
  t.strictSame(wrong, []);
});

t.test('a connection that was cut works again for the next visit, and no visit waits for a server that is gone', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const readThrough = started(t, fixture.url, { deadlineMs: 5000 });
  const [live] = fixture.environmentIds;
  const id = await fixture.createLink('a');
  t.equal((await readThrough.lookUp(live, 1, 'a'))?.id, id);
  const connections = async () => {
    const { rows } = await fixture.pool.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'link-service read-through'",
    );
    return rows.map(({ pid }) => pid);
  };
  const [cut] = await connections();
  await fixture.pool.query('SELECT pg_terminate_backend($1)', [cut]);
  await until(async () => (await connections()).some((pid) => pid !== cut), 'a new connection');
  await fixture.createLink('b');
  t.ok(await readThrough.lookUp(live, 1, 'b'));
  const url = new URL(fixture.url);
  url.port = '1';
  const away = started(t, url.href);
  await until(() => away.stats().connection === 'away', 'the server to be known as away');
  t.equal(await away.lookUp(live, 1, 'a'), undefined);
  t.match(away.stats(), { asked: 0, late: 0 }, 'no query was made');
});

t.test('an answer that arrived while this process was blocked counts as in time', async (t) => {
  const deadlineMs = 30;
  const lookup: LinkLookup = {
    kind: () => 'ready',
    stop: () => undefined,
    // The file system answers as a socket does: at the next poll for pending events, after the timers have run.
    lookUp: ([question]) => stat('.').then(() => new Map([[question?.key ?? '', LINK]])),
  };
  const readThrough = new SharedReadThrough(lookup, { copyIsWhole: () => true, deadlineMs });
  const visit = readThrough.lookUp('env_1', 1, 'a');
  const heldUntil = performance.now() + 3 * deadlineMs;
  while (performance.now() < heldUntil);
  t.equal(await visit, LINK);
  t.equal(readThrough.stats().late, 0);
});
