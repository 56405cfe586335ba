import pg from 'pg';
import t from 'tap';
import { LookupUnavailableError } from '../../../engine/database/lookup-connection.js';
import { SharedAnswers } from '../../../engine/preview/shared-answers.js';
import { type MetadataAnswerKey, readListedKeys, readMetadataAnswers } from '../../../engine/preview/sql.js';
import { WriteBehind } from '../../../engine/preview/write-behind.js';
import { INVALIDATION_MARK_SECONDS } from '../../../shared/base/limits.js';
import { makeEnvironment } from '../../support/click-log.js';
import { createDatabase } from '../../support/database.js';
import { manualTimers } from '../../support/manual-scheduler.js';
import { insertResourceType } from '../../support/resource-type.js';
import { until } from '../../support/until.js';
import { silentLog } from '../fixtures.js';
import { rememberedAnswer } from './fixtures.js';

const own = await createDatabase();
const pool = new pg.Pool({ connectionString: own.url, max: 4 });
pool.on('error', () => undefined); // connections are killed on purpose
t.teardown(async () => {
  await pool.end();
  await own.drop();
});
const environment = await makeEnvironment(pool);
const typeId = await insertResourceType(
  { query: (statement) => pool.query(statement as pg.QueryConfig) as never },
  environment.id,
  'product',
);

const keyOf = (item: string): MetadataAnswerKey => ({ resource_type_id: typeId, generation: 1, item_id: item });

/** `timers` decide when a statement is late; by default the clock does. */
function reader(timers?: ReturnType<typeof manualTimers>) {
  let statements = 0;
  const asking = async <Value>(question: (client: pg.PoolClient) => Promise<Value>): Promise<Value> => {
    statements++;
    const client = await pool.connect();
    try {
      return await question(client);
    } finally {
      client.release();
    }
  };
  const shared = new SharedAnswers({
    lookup: {
      isAway: () => false,
      read: (keys) => asking((client) => readMetadataAnswers(client, keys)),
      readListed: (keys) => asking((client) => readListedKeys(client, keys)),
    },
    clock: Date.now,
    now: () => performance.now(),
    ...(timers === undefined ? {} : { schedule: timers.schedule }),
  });
  return { shared, statements: () => statements };
}

const writeBehind = new WriteBehind({ databaseUrl: own.url, log: silentLog, clock: Date.now, random: () => 0 });
writeBehind.start();
t.teardown(() => writeBehind.stop());
const written = () => until(() => writeBehind.stats().waiting === 0, 'the answers to be written');

t.test('an answer that one engine stored is read by another engine, for the rest of its lifetime', async (t) => {
  const { shared } = reader();
  t.strictSame(await shared.read(keyOf('a')), { kind: 'read', invalidation: '0', answer: null });
  const answer = rememberedAnswer({ title: 'Tëst "1"', resource_status: 'live' });
  writeBehind.store({ ...keyOf('a'), invalidation: '0', answer });
  writeBehind.store({ ...keyOf('b'), invalidation: '0', answer: rememberedAnswer({}, { outcome: 'missing', metadata: null }) });
  await written();
  const read = await shared.read(keyOf('a'));
  if (read.kind !== 'read' || read.answer === null) return t.fail('the answer is missing');
  t.strictSame(JSON.stringify(read.answer.metadata), JSON.stringify(answer.metadata));
  t.match(read.answer, { generation: 1, outcome: 'ok', meaning: 'published' });
  for (const field of ['fetched_at_ms', 'expires_at_ms', 'keep_until_ms'] as const)
    t.ok(Math.abs(read.answer[field] - answer[field]) < 1000, field);
  t.match(await shared.read(keyOf('b')), { answer: { outcome: 'missing', metadata: null } });
  t.match(await shared.read({ ...keyOf('a'), generation: 2 }), { answer: null });
});

t.test('a thousand items that are asked for at once take a few statements', async (t) => {
  const { shared, statements } = reader();
  await Promise.all(Array.from({ length: 1000 }, (_, n) => shared.read(keyOf(`many-${n}`))));
  t.ok(statements() <= 4, `${statements()} statements`);
});

t.test('an answer to a call from before an invalidation is not stored, in either order of the two writes (promise P5)', async (t) => {
  const { shared } = reader();
  const mark = (item: string, number: number) =>
    pool.query(
      `INSERT INTO metadata_answers (resource_type_id, generation, item_id, invalidation, keep_until) VALUES ($1, 1, $2, $3, now() + interval '1 hour')
       ON CONFLICT (resource_type_id, generation, item_id) DO UPDATE SET invalidation = $3, outcome = NULL, meaning = NULL, metadata = NULL, fetched_at = NULL, expires_at = NULL`,
      [typeId, item, number],
    );
  await mark('c', 5);
  writeBehind.store({ ...keyOf('c'), invalidation: '0', answer: rememberedAnswer({ title: 'old' }) });
  await written();
  t.strictSame(await shared.read(keyOf('c')), { kind: 'read', invalidation: '5', answer: null });
  writeBehind.store({ ...keyOf('c'), invalidation: '5', answer: rememberedAnswer({ title: 'new' }) });
  await written();
  t.match(await shared.read(keyOf('c')), { answer: { metadata: { title: 'new' } } });
  writeBehind.store({
    ...keyOf('c'),
    invalidation: '5',
    answer: rememberedAnswer({ title: 'older' }, { fetched_at_ms: Date.now() - 60_000 }),
  });
  await written();
  t.match(
    await shared.read(keyOf('c')),
    { answer: { metadata: { title: 'new' } } },
    'an answer that is older than the stored one is not stored either',
  );
});

t.test('answers that could not be written are written once the connection is back', async (t) => {
  const { shared } = reader();
  await pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'link-service answers written'`);
  for (let n = 0; n < 1200; n++)
    writeBehind.store({ ...keyOf(`w${n}`), invalidation: '0', answer: rememberedAnswer({ title: String(n) }) });
  await written();
  t.match(await shared.read(keyOf('w1199')), { answer: { metadata: { title: '1199' } } });
  t.equal(writeBehind.stats().dropped, 0);
});

t.test('an answer that has waited so long that invalidation marks may be gone is not written (promise P5)', async (t) => {
  const { shared } = reader();
  const late = new WriteBehind({ databaseUrl: own.url, log: silentLog, clock: Date.now, random: () => 0 });
  const waited = (seconds: number) => rememberedAnswer({}, { fetched_at_ms: Date.now() - 1000 * seconds });
  late.store({ ...keyOf('late-1'), invalidation: '0', answer: waited(INVALIDATION_MARK_SECONDS - 60) });
  late.store({ ...keyOf('late-2'), invalidation: '0', answer: waited(INVALIDATION_MARK_SECONDS - 120) });
  late.start();
  await until(() => late.stats().waiting === 0, 'the answers to be written');
  await late.stop();
  t.equal(late.stats().dropped, 1);
  t.match(await shared.read(keyOf('late-1')), { answer: null });
  t.match(await shared.read(keyOf('late-2')), { answer: { outcome: 'ok' } });
});

t.test('beyond the limit the oldest answers are not written', async (t) => {
  const away = new WriteBehind({ databaseUrl: 'postgres://127.0.0.1:9/none', log: silentLog, clock: Date.now, random: () => 0 });
  for (let n = 0; n < 10_005; n++) away.store({ ...keyOf(String(n)), invalidation: '0', answer: rememberedAnswer({}) });
  t.match(away.stats(), { waiting: 10_000, dropped: 5 });
});

t.test(
  'a database that is away is not waited for, and one that hangs only for a limited time, which is shorter after a timeout',
  async (t) => {
    const timers = manualTimers();
    const pending: ((rows: []) => void)[] = [];
    let away = false;
    const shared = new SharedAnswers({
      lookup: {
        isAway: () => away,
        read: () => new Promise((resolve) => pending.push(resolve)),
        readListed: () => new Promise(() => {}),
      },
      clock: Date.now,
      now: timers.now,
      schedule: timers.schedule,
    });
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    const ask = () => {
      const state = { over: '' };
      void shared.read(keyOf('h')).then(({ kind }) => {
        state.over = kind;
      });
      return state;
    };
    const first = ask();
    timers.advance(49);
    await settle();
    t.equal(first.over, '');
    timers.advance(1);
    await settle();
    t.equal(first.over, 'unread');
    const second = ask();
    timers.advance(10);
    await settle();
    t.equal(second.over, 'unread');
    for (let n = 0; n < 2; n++) {
      pending.shift()?.([]);
      await settle();
    }
    const third = ask();
    await settle();
    pending.shift()?.([]);
    await settle();
    t.equal(third.over, 'read', 'the database has answered again');
    away = true;
    const fourth = ask();
    await settle();
    t.equal(fourth.over, 'unread');
    t.equal(pending.length, 0);
    const refusing = new SharedAnswers({
      lookup: {
        isAway: () => false,
        read: () => Promise.reject(new LookupUnavailableError('gone')),
        readListed: () => Promise.reject(new LookupUnavailableError('gone')),
      },
      clock: Date.now,
      now: timers.now,
    });
    t.match(await refusing.read(keyOf('x')), { kind: 'unread' });
    t.equal((await refusing.listedUrls(['https://listed.example/'])).size, 0);
    const slow = shared.listedUrls(['https://listed.example/']);
    t.equal((await slow).size, 0, 'away');
    away = false;
    const late = shared.listedUrls(['https://listed.example/']);
    timers.advance(50);
    t.equal((await late).size, 0, 'too late');
    t.strictSame(shared.stats(), { found: 0, unread: 3 });
  },
);

t.test('URLs are looked up in the block list by host and by page, in one statement', async (t) => {
  await pool.query(`INSERT INTO blocklist_lists (name, format, entries, imported_at) VALUES ('test', 'plain', 2, now())`);
  await pool.query(`INSERT INTO blocklist_entries (list, key) VALUES ('test', 'evil.example'), ('test', 'good.example/bad.png')`);
  const { shared, statements } = reader(manualTimers());
  const urls = ['https://www.evil.example/x', 'https://good.example/bad.png', 'https://good.example/b%61d.png', 'https://good.example/'];
  t.strictSame([...(await shared.listedUrls(urls))], urls.slice(0, 3));
  t.equal(statements(), 1);
  t.equal((await shared.listedUrls([])).size, 0);
  t.equal(statements(), 1);
  const calls = Array.from({ length: 600 }, (_, n) => [`https://${n % 3 === 0 ? 'www.evil' : 'good'}.example/${n}`]);
  const listed = await Promise.all(calls.map((each) => shared.listedUrls(each)));
  for (const [n, found] of listed.entries()) if ((found.size === 1) !== (n % 3 === 0)) t.fail(`${calls[n]} was judged wrong`);
  t.ok(statements() < 5, `the URLs of 600 calls at once are looked up together, in ${statements() - 1} statements`);
});
