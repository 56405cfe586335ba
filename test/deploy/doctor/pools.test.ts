import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import t, { type Test } from 'tap';
import { examine } from '../../../deploy/doctor/examine.js';
import { type PoolFacts, poolFindings, readPoolFacts } from '../../../deploy/doctor/pools.js';
import { readWay } from '../../../deploy/doctor/ways.js';
import { createDatabase } from '../../support/database.js';
import { TEST_SECRETS_KEYS } from '../../support/engine.js';
import { startPgBouncer } from '../../support/pgbouncer.js';
import { hasProgram } from '../../support/programs.js';
import { repairFault } from './repair-rule.js';

const SERVER = 'links since yesterday';
const WELL: PoolFacts = { pool: { way: 'transaction', server: SERVER }, queue: { way: 'direct', server: SERVER }, server: SERVER };

const CASES: readonly [Partial<PoolFacts>, string, string, RegExp, RegExp | null][] = [
  [{}, 'pool', 'ok', /pooler in transaction mode/, null],
  [{ pool: null }, 'pool', 'ok', /not set/, null],
  [{ pool: { fault: 'connect ECONNREFUSED' } }, 'pool', 'failure', /ECONNREFUSED/, /^systemctl restart pgbouncer/],
  [{ pool: { way: 'transaction', server: 'other' } }, 'pool', 'failure', /another database/, /^DATABASE_POOL_URL=/],
  [{ pool: { way: 'transaction', server: 'other' }, server: null }, 'pool', 'ok', /transaction mode/, null],
  [{ pool: { way: 'session', server: SERVER } }, 'pool', 'warning', /one session per client/, /^pool_mode = transaction/],
  [{ pool: { way: 'direct', server: SERVER } }, 'pool', 'warning', /PostgreSQL itself/, /^DATABASE_POOL_URL=/],
  [{}, 'queue', 'ok', /the database of DATABASE_URL/, null],
  [{ queue: null }, 'queue', 'ok', /not set/, null],
  [{ queue: 'none' }, 'queue', 'ok', /delivers no webhooks/, null],
  [{ queue: { fault: 'password' } }, 'queue', 'failure', /password/, /^QUEUE_DATABASE_URL=/],
  [{ queue: { way: 'session', server: SERVER } }, 'queue', 'ok', /the database of DATABASE_URL/, null],
  [{ queue: { way: 'direct', server: 'other' } }, 'queue', 'failure', /another database/, /^QUEUE_DATABASE_URL=/],
  [{ queue: { way: 'transaction', server: SERVER } }, 'queue', 'failure', /transaction mode/, /^QUEUE_DATABASE_URL=/],
];

t.test('each fact about the other connection strings gives its finding and repair', async (t) => {
  for (const [different, check, status, text, repair] of CASES) {
    const finding = poolFindings({ ...WELL, ...different }).find((one) => one.check === check);
    t.match(finding, { status, text }, JSON.stringify(different));
    if (repair === null) t.equal(finding?.repair, null);
    else t.match(finding?.repair, repair);
    t.equal(finding && repairFault(finding), '', JSON.stringify(different));
  }
});

async function ownDatabase(t: Test): Promise<string> {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  return url;
}

t.test('a pool that is away, silent or refuses the user, and one of another database, are failures', async (t) => {
  const url = await ownDatabase(t);
  const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  t.teardown(() => silent.close());
  await once(silent, 'listening');
  const wrong = new URL(url);
  wrong.username = 'nobody_of_that_name';
  const { server } = await readWay(url);
  for (const target of [
    'postgres://127.0.0.1:1/x',
    `postgres://127.0.0.1:${(silent.address() as AddressInfo).port}/x`,
    wrong.href,
    await ownDatabase(t),
  ]) {
    const findings = poolFindings(await readPoolFacts({ DATABASE_POOL_URL: target, QUEUE_DATABASE_URL: target }, server));
    t.same(
      findings.map(({ check, status }) => [check, status]),
      [
        ['pool', 'failure'],
        ['queue', 'failure'],
      ],
      target,
    );
  }
  t.match(await readPoolFacts({ DATABASE_POOL_URL: url, QUEUE_DATABASE_URL: 'none' }, server), {
    pool: { way: 'direct', server },
    queue: 'none',
  });
});

if (hasProgram(t, 'pgbouncer'))
  t.test('the mode of PgBouncer is detected, and one in transaction mode is refused as DATABASE_URL', async (t) => {
    const url = await ownDatabase(t);
    const { server } = await readWay(url);
    for (const sessions of [1, 6]) {
      const { url: shared } = await startPgBouncer(t, url, { sessions });
      t.same(await readWay(shared), { way: 'transaction', server }, `with ${sessions} sessions`);
    }
    const turns = await startPgBouncer(t, url, { more: 'server_round_robin = 1' });
    t.same(await readWay(turns.url), { way: 'transaction', server }, 'transaction mode is detected if sessions are handed out in turn');
    const { url: kept } = await startPgBouncer(t, url, { mode: 'session' });
    t.same(await readWay(kept), { way: 'session', server });

    const { url: shared } = await startPgBouncer(t, url);
    const environment = { DATABASE_URL: shared, DATABASE_POOL_URL: shared, SECRETS_KEYS: TEST_SECRETS_KEYS };
    const findings = await examine({ outboundTarget: null, engines: null, controlPlanes: null }, environment, Date.now());
    const statusOf = (wanted: string) => findings.find(({ check }) => check === wanted)?.status;
    t.match(
      findings.find(({ check }) => check === 'database'),
      { status: 'failure', text: /DATABASE_URL points to a pooler in transaction mode/, repair: /DATABASE_POOL_URL/ },
    );
    for (const check of ['pool', 'schema', 'clock', 'secrets']) t.equal(statusOf(check), 'ok', `${check} is still checked`);
  });
