import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { openClickSpool } from '../../../engine/spool/click-spool.js';
import { SEGMENT_BYTES_MIN } from '../../../engine/spool/segment.js';
import { newId } from '../../../shared/base/ids.js';
import { ClickHouse } from '../../../shared/clickhouse/connection.js';
import { connect, makeEndpoint, makeEnvironment, makeFlusher } from '../../support/click-log.js';
import { countStored, forgetClicks, openClickHouse, type TestClickHouse } from '../../support/clickhouse.js';
import { makeClick, segmentNames } from '../../support/clicks.js';
import { createDatabase } from '../../support/database.js';
import { serveHttp } from '../../support/serve-http.js';
import { TEST_SPOOL_KEYS } from '../../support/spool-keys.js';
import { until } from '../../support/until.js';

const DAY_MS = 86_400_000;
const store = await openClickHouse(t);
if (store !== null) await tests(store);

async function tests(store: TestClickHouse): Promise<void> {
  const database = await createDatabase();
  const client = await connect(database.url);
  t.teardown(async () => {
    await client.end();
    await database.drop();
  });
  const environment = await makeEnvironment(client);
  const neighbour = await makeEnvironment(client);
  await makeEndpoint(client, environment.id, ['click.created']);
  t.beforeEach(async () => {
    await forgetClicks(store);
    for (const table of ['click_segments', 'click_intents', 'open_clicks', 'webhook_deliveries', 'events', 'click_log_batches'])
      await client.query(`DELETE FROM ${table}`);
  });

  /** Writes clicks of two days into one file for each of the environments. */
  function write(dir: string, count: number, environments: readonly number[] = [environment.number, environment.number]): void {
    for (const [part, environment_number] of environments.entries()) {
      const spool = openClickSpool({
        dir,
        bytesMax: 256 * 1024 * 1024,
        mapped: true,
        keys: TEST_SPOOL_KEYS,
        clock: Date.now,
        segmentBytes: SEGMENT_BYTES_MIN,
      });
      const link = newId('link');
      for (let index = 0; index < count / 2; index++) {
        const occurred_at_ms = Date.now() - (index % 2) * DAY_MS;
        const click = makeClick({ environment_number, subject_id: link, path: `p${part}-${index}`, occurred_at_ms });
        if (!spool.append(click)) throw new Error('a click was dropped');
      }
      spool.stop();
    }
  }

  const one = async (text: string): Promise<number> => Number((await client.query(text)).rows[0].value);
  const beside = async () => ({
    noted: await one('SELECT coalesce(sum(shipped_clicks), 0) AS value FROM click_segments'),
    open: await one('SELECT count(*) AS value FROM open_clicks'),
    events: await one('SELECT count(*) AS value FROM events'),
    intents: await one('SELECT count(*) AS value FROM click_intents'),
    in_postgres: await one('SELECT count(*) AS value FROM clicks'),
    uncounted: await one('SELECT count(*) AS value FROM click_batches'),
  });

  async function shipAll(dir: string, url = store.url): Promise<void> {
    const clickHouse = new ClickHouse({ url, timeoutMs: 10_000, application: 'test' });
    const flusher = makeFlusher({ databaseUrl: database.url, dir, clickHouse, keepMs: 0 });
    flusher.start();
    await until(() => segmentNames(dir).length === 0, 'an empty spool').finally(() => flusher.stop());
    await clickHouse.close();
  }

  t.test('a click is stored in ClickHouse, and everything that belongs to it in PostgreSQL', async (t) => {
    const dir = join(t.testdir(), 's');
    write(dir, 1000);
    await shipAll(dir);
    t.same(await countStored(store), { rows: 1000, ids: 1000 });
    t.same(await beside(), { noted: 1000, open: 1000, events: 1000, intents: 0, in_postgres: 0, uncounted: 0 });
    const [click] = await store.clickHouse.rows<Record<string, unknown>>(
      `SELECT path, platform, os, browser, bot, country, kind, host, destination, toString(occurred_at) AS occurred_at, address_hash IS NULL AS addressless
       FROM clicks WHERE path = 'p1-7'`,
    );
    t.match(click, {
      path: 'p1-7',
      platform: 'ios',
      os: 'iOS',
      browser: 'Safari',
      bot: false,
      country: '',
      kind: 'link',
      host: 'live.localhost',
      addressless: 0,
    });
    t.equal(await one('SELECT count(*) AS value FROM click_log_batches'), 1);
  });

  t.test('while ClickHouse is away clicks wait in the spool, and health reports it', async (t) => {
    const dir = join(t.testdir(), 's');
    write(dir, 100);
    let ahead = 0;
    const clickHouse = new ClickHouse({ url: 'http://127.0.0.1:1', timeoutMs: 1_000, application: 'test' });
    const flusher = makeFlusher({ databaseUrl: database.url, dir, clickHouse, clock: () => Date.now() + ahead });
    flusher.start();
    await until(() => flusher.stats().failures >= 2, 'failures');
    ahead = 20_000;
    t.match(flusher.health(), { ok: false, reason: /ClickHouse cannot be reached/ });
    t.equal((await beside()).noted, 0);
    await flusher.stop();
    await clickHouse.close();
    await shipAll(dir);
    t.same(await countStored(store), { rows: 100, ids: 100 });
    t.match(await beside(), { noted: 100, events: 100, intents: 0 });
  });

  t.test('a server that answers everything with nothing, and is not ClickHouse, stores no click', async (t) => {
    const dir = join(t.testdir(), 's');
    write(dir, 100);
    const { origin } = await serveHttp(t, (request, response) => void request.resume().on('end', () => response.end()));
    const clickHouse = new ClickHouse({ url: origin, timeoutMs: 1_000, application: 'test' });
    const flusher = makeFlusher({ databaseUrl: database.url, dir, clickHouse });
    flusher.start();
    await until(() => flusher.stats().failures >= 2 || segmentNames(dir).length === 0, 'failures');
    t.match(await beside(), { noted: 0, events: 0 });
    await flusher.stop();
    await clickHouse.close();
    await shipAll(dir);
    t.same(await countStored(store), { rows: 100, ids: 100 });
    t.match(await beside(), { noted: 100, events: 100, intents: 0 });
  });

  t.test('a flusher stops in time while ClickHouse hangs, whatever it was asked', async (t) => {
    for (const hangs of ['INSERT', 'SELECT']) {
      const dir = join(t.testdir(), hangs);
      write(dir, 100);
      let asked = 0;
      const { origin } = await serveHttp(t, (request, response) => {
        const isInsertion = request.url?.includes('insert_deduplication_token') === true;
        request.resume().on('end', () => {
          if (isInsertion === (hangs === 'INSERT')) asked++;
          else response.end();
        });
      });
      const clickHouse = new ClickHouse({ url: origin, timeoutMs: 30_000, application: 'test' });
      const flusher = makeFlusher({ databaseUrl: database.url, dir, clickHouse });
      flusher.start();
      await until(() => asked > 0, hangs);
      const beganAt = performance.now();
      await flusher.stop();
      t.ok(performance.now() - beganAt < 8_000, hangs);
      await clickHouse.close();
    }
  });

  /**
   * A proxy in front of the server that calls `before` and `after` for each insertion. An insertion that they do not let pass is
   * never answered.
   */
  async function gate(before: (number: number) => Promise<boolean>, after: (number: number) => Promise<boolean>) {
    let insertions = 0;
    const server = createServer((request, response) => void pass(request, response).catch(() => response.destroy()));
    async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const number = request.url?.includes('insert_deduplication_token') === true ? ++insertions : 0;
      if (number > 0 && !(await before(number))) return;
      const answer = await fetch(new URL(request.url ?? '/', store.url), { method: 'POST', body: Buffer.concat(parts) });
      const text = await answer.text();
      if (number > 0 && !(await after(number))) return;
      response.statusCode = answer.status;
      response.end(text);
    }
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const close = () => {
      server.closeAllConnections();
      server.close();
    };
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
  }

  /** Kills the shipper, and never lets the insertion pass. */
  const killedBy = async (kill: () => Promise<void>): Promise<boolean> => {
    await kill();
    return new Promise(() => {});
  };
  const yes = async () => true;

  /** The moments at which the shipper is killed. Each batch makes two insertions, one for each day. */
  const MOMENTS: Readonly<Record<string, (kill: () => Promise<void>) => Parameters<typeof gate>>> = {
    'before the first day is sent': (kill) => [() => killedBy(kill), yes],
    'with the first day stored and not answered': (kill) => [yes, () => killedBy(kill)],
    'between the days': (kill) => [async (number) => number === 1 || killedBy(kill), yes],
    'with both days stored and not answered': (kill) => [yes, async (number) => number === 1 || killedBy(kill)],
  };

  for (const [moment, make] of Object.entries(MOMENTS))
    t.test(`a shipper that is killed ${moment} neither loses nor duplicates a click`, async (t) => {
      const dir = join(t.testdir(), 's');
      write(dir, 1000);
      let shipper: ChildProcess | null = null;
      const killed = async () => {
        shipper?.kill('SIGKILL');
      };
      const { url, close } = await gate(...make(killed));
      t.teardown(close);
      const settings = { databaseUrl: database.url, dir, clickHouseUrl: url };
      shipper = fork(new URL('../../support/flusher-process.js', import.meta.url), [JSON.stringify(settings)]);
      await once(shipper, 'exit');
      t.match(await beside(), { noted: 0, intents: 2, events: 0 }, 'PostgreSQL has nothing but the intents');
      await shipAll(dir);
      t.same(await countStored(store), { rows: 1000, ids: 1000 });
      t.same(await beside(), { noted: 1000, open: 1000, events: 1000, intents: 0, in_postgres: 0, uncounted: 0 });
    });

  t.test(
    'a shipper killed after all is stored in ClickHouse and before PostgreSQL notes it neither loses nor duplicates a click',
    async (t) => {
      const dir = join(t.testdir(), 's');
      write(dir, 1000);
      const other = await connect(database.url);
      let shipper: ChildProcess | null = null;
      const { url, close } = await gate(yes, async (number) => {
        // The transaction that notes the clicks waits for this lock.
        if (number === 2) await other.query('BEGIN; LOCK TABLE click_intents IN ACCESS EXCLUSIVE MODE');
        return true;
      });
      t.teardown(close);
      const settings = { databaseUrl: database.url, dir, clickHouseUrl: url };
      shipper = fork(new URL('../../support/flusher-process.js', import.meta.url), [JSON.stringify(settings)]);
      await until(
        async () =>
          (await one(`SELECT count(*) AS value FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%click_intents%'`)) > 0,
        'the last transaction',
      );
      shipper.kill('SIGKILL');
      await once(shipper, 'exit');
      await other.query('ROLLBACK');
      await other.end();
      await shipAll(dir);
      t.same(await countStored(store), { rows: 1000, ids: 1000 });
      t.same(await beside(), { noted: 1000, open: 1000, events: 1000, intents: 0, in_postgres: 0, uncounted: 0 });
    },
  );

  /** Runs a shipper that stores both days and is killed before it receives the last answer. */
  async function shipAndDie(dir: string): Promise<void> {
    let shipper: ChildProcess | null = null;
    const { url, close } = await gate(yes, async (number) => number === 1 || killedBy(async () => void shipper?.kill('SIGKILL')));
    shipper = fork(new URL('../../support/flusher-process.js', import.meta.url), [
      JSON.stringify({ databaseUrl: database.url, dir, clickHouseUrl: url }),
    ]);
    await once(shipper, 'exit');
    close();
  }

  t.test('an intent that is only partly readable for a while waits, and is then stored as the same batch', async (t) => {
    const dir = join(t.testdir(), 's');
    write(dir, 1000);
    await shipAndDie(dir);
    const any = await open(join(dir, segmentNames(dir)[0] as string));
    const files = Object.getPrototypeOf(any) as FileHandle;
    await any.close();
    const read = files.read as (...parameters: readonly unknown[]) => Promise<{ readonly bytesRead: number }>;
    // In two rounds, the second half of a file reads as other bytes. Each round makes two reads: the first half, and what follows it.
    let reads = 4;
    t.intercept(files, 'read', {
      async value(this: FileHandle, buffer: Buffer, offset: number, length: number, position: number) {
        const outcome = await read.call(this, buffer, offset, length, position);
        if (length > 1000 && reads-- > 0) buffer.fill(0x55, offset + Math.max(0, 40_000 - position), offset + length);
        return outcome;
      },
    });
    await shipAll(dir);
    t.ok(reads < 0);
    t.same(await countStored(store), { rows: 1000, ids: 1000 });
    t.same(await beside(), { noted: 1000, open: 1000, events: 1000, intents: 0, in_postgres: 0, uncounted: 0 });
    t.equal(await one('SELECT count(*) AS value FROM click_log_batches'), 1);
  });

  t.test(
    'the intent of a damaged segment is stored up to the damage, and the segment is set aside; the other segment is stored',
    async (t) => {
      const dir = join(t.testdir(), 's');
      write(dir, 1000);
      await shipAndDie(dir);
      const path = join(dir, segmentNames(dir)[0] as string);
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.fill(0x55, 40_000));
      await shipAll(dir);
      t.same(await countStored(store), { rows: 1000, ids: 1000 }, 'the first shipper has stored them');
      const { noted, intents } = await beside();
      t.ok(noted > 550 && noted < 950, `${noted} clicks were before the damage or in the other file`);
      t.equal(intents, 0);
    },
  );

  t.test('a damaged intent of a segment that is still being written does not delay other clicks', async (t) => {
    const dir = join(t.testdir(), 's');
    const spool = openClickSpool({
      dir,
      bytesMax: 256 * 1024 * 1024,
      mapped: false,
      keys: TEST_SPOOL_KEYS,
      clock: Date.now,
      segmentBytes: SEGMENT_BYTES_MIN,
    });
    for (let index = 0; index < 500; index++) {
      const occurred_at_ms = Date.now() - (index % 2) * DAY_MS;
      spool.append(makeClick({ environment_number: environment.number, path: `open-${index}`, occurred_at_ms }));
    }
    await shipAndDie(dir);
    const path = join(dir, segmentNames(dir)[0] as string);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0x55, 40_000));
    write(dir, 100);
    const clickHouse = new ClickHouse({ url: store.url, timeoutMs: 10_000, application: 'test' });
    const flusher = makeFlusher({ databaseUrl: database.url, dir, clickHouse, keepMs: 0 });
    flusher.start();
    await until(() => segmentNames(dir).length === 1, 'the other files to be stored');
    t.match(await beside(), { noted: 100, intents: 1 });
    spool.stop();
    await until(() => segmentNames(dir).length === 0, 'an empty spool').finally(() => flusher.stop());
    await clickHouse.close();
    t.same(await countStored(store), { rows: 600, ids: 600 });
    t.match(await beside(), { intents: 0 });
    t.match(flusher.stats(), { segments_quarantined: 1 });
  });

  t.test('a batch whose segments are stored at two different times is announced again, with all its shards and times', async (t) => {
    const dir = join(t.testdir(), 's');
    const away = join(t.testdir(), 'away.segment');
    write(dir, 1000, [environment.number, neighbour.number]);
    await shipAndDie(dir);
    const first = segmentNames(dir)[0] as string;
    renameSync(join(dir, first), away);
    await shipAll(dir);
    const told = async () =>
      (
        await client.query<{ xid: string; shards: number[]; from_at: Date; to_at: Date }>(
          'SELECT xid::text AS xid, shards::integer[] AS shards, from_at, to_at FROM click_log_batches',
        )
      ).rows;
    const [before] = await told();
    t.equal(before?.shards.length, 1);
    renameSync(away, join(dir, first));
    await shipAll(dir);
    const after = await told();
    t.equal(after.length, 1);
    t.ok(BigInt(after[0]?.xid ?? 0) > BigInt(before?.xid ?? 0), 'streams read the batch again');
    t.equal(after[0]?.shards.length, 2);
    const { rows } = await client.query<{ from_at: Date; to_at: Date }>(
      'SELECT min(occurred_at) AS from_at, max(occurred_at) AS to_at FROM open_clicks',
    );
    t.same([after[0]?.from_at, after[0]?.to_at], [rows[0]?.from_at, rows[0]?.to_at]);
    t.same(await countStored(store), { rows: 1000, ids: 1000 });
  });

  t.test('an intent older than ClickHouse remembers deduplication tokens is looked up by ids', async (t) => {
    const dir = join(t.testdir(), 's');
    write(dir, 1000);
    let shipper: ChildProcess | null = null;
    const { url, close } = await gate(yes, async (number) => number === 1 || killedBy(async () => void shipper?.kill('SIGKILL')));
    t.teardown(close);
    const settings = { databaseUrl: database.url, dir, clickHouseUrl: url };
    shipper = fork(new URL('../../support/flusher-process.js', import.meta.url), [JSON.stringify(settings)]);
    await once(shipper, 'exit');
    await store.clickHouse.run('ALTER TABLE clicks MODIFY SETTING non_replicated_deduplication_window = 0');
    t.teardown(() => store.clickHouse.run('ALTER TABLE clicks MODIFY SETTING non_replicated_deduplication_window = 100000'));
    await shipAll(dir);
    t.same(await countStored(store), { rows: 1000, ids: 1000 });
    t.match(await beside(), { noted: 1000, intents: 0 });
  });

  t.test('two shippers on one folder store each click once', async (t) => {
    const dir = join(t.testdir(), 's');
    write(dir, 4000);
    await Promise.all([shipAll(dir), shipAll(dir)]);
    t.same(await countStored(store), { rows: 4000, ids: 4000 });
    t.same(await beside(), { noted: 4000, open: 4000, events: 4000, intents: 0, in_postgres: 0, uncounted: 0 });
  });

  t.test('a shipper that can read only part of an intent loses no clicks while another shipper stores all of it', async (t) => {
    const [dir, seen] = [join(t.testdir(), 'all'), join(t.testdir(), 'part')];
    write(dir, 1000);
    // An engine that takes over can open the segments of processes that have ended, and not yet those of the others.
    mkdirSync(seen, { mode: 0o700 });
    const first = segmentNames(dir)[0] as string;
    copyFileSync(join(dir, first), join(seen, first));
    let partIsStored = false;
    const whole = await gate(async () => {
      await until(() => partIsStored, 'the part to be stored');
      return true;
    }, yes);
    const part = await gate(yes, async () => {
      partIsStored = true;
      await until(async () => (await beside()).intents === 0, 'the other shipper to note all of it');
      return true;
    });
    for (const { close } of [whole, part]) t.teardown(close);
    const shipped = shipAll(dir, whole.url);
    await until(async () => (await beside()).intents === 2, 'the intent');
    await Promise.all([shipped, shipAll(seen, part.url)]);
    t.equal((await beside()).noted, 1000);
    t.same(await countStored(store), { rows: 1000, ids: 1000 });
  });
}
