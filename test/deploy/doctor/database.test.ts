import t from 'tap';
import { connectionsBySettings, openedConnections } from '../../../deploy/doctor/connections.js';
import { DATABASE_CHECKS, type DatabaseFacts, databaseAway, databaseFindings } from '../../../deploy/doctor/database.js';
import { repairFault } from './repair-rule.js';

const key = (id: string, opens = true) => ({ id, place: 'webhook_endpoints/wh_1/secret', opens });

/** One control plane opens 30 connections and one engine 18: 48 in total, and 78 during a rolling restart. */
const WELL: DatabaseFacts = {
  way: 'direct',
  serverVersion: 150_006,
  encoding: 'UTF8',
  hasTrigrams: true,
  pending: [],
  unknown: [],
  connectionsMax: 100,
  connectionsReserved: 3,
  connectionsOfOthers: 2,
  connectionLimit: null,
  controlPlanes: { processes: 1, connections: 30, largest: 30 },
  engines: { processes: 1, connections: 18, largest: 18 },
  skewMs: 3,
  roundTripMs: 2,
  sealedWith: [key('first')],
  keyIds: ['first'],
};

/** Ten engines, one of which has many redirect processes, and two control planes. */
const MANY: Partial<DatabaseFacts> = {
  controlPlanes: { processes: 2, connections: 60, largest: 30 },
  engines: { processes: 10, connections: 150, largest: 42 },
};

const CASES: readonly [Partial<DatabaseFacts>, string, string, RegExp, RegExp | null][] = [
  [{}, 'database', 'ok', /PostgreSQL 15\.6/, null],
  [{ serverVersion: 140_011 }, 'database', 'failure', /14\.11 is too old/, /15 or later/],
  [{ way: 'session' }, 'database', 'ok', /through a pooler in session mode/, null],
  [{ way: 'transaction' }, 'database', 'failure', /pooler in transaction mode/, /DATABASE_POOL_URL/],
  [{ encoding: 'SQL_ASCII' }, 'database', 'failure', /encoding SQL_ASCII/, /^createdb --encoding UTF8 .*DATABASE_URL=/],
  [{ hasTrigrams: false }, 'database', 'failure', /pg_trgm/, /contrib/],
  [{}, 'schema', 'ok', /that of this release/, null],
  [{ pending: ['0002_x', '0003_y'] }, 'schema', 'failure', /not run: 2, the first is 0002_x/, /^linkd migrate$/],
  [{ unknown: ['0099_z'] }, 'schema', 'warning', /newer release: 0099_z/, /newer release/],
  [{}, 'connections', 'ok', /open at most 48 connections, and PostgreSQL has 95/, null],
  [{ connectionsMax: 83 }, 'connections', 'ok', /has 78/, null],
  [{ connectionsMax: 82 }, 'connections', 'warning', /rolling restart needs 78/, /max_connections = 83/],
  [{ connectionsMax: 52 }, 'connections', 'failure', /has 47/, /DATABASE_CONNECTIONS/],
  [{ connectionLimit: 78 }, 'connections', 'ok', /has 78/, null],
  [{ connectionLimit: 77 }, 'connections', 'warning', /rolling restart needs 78/, /^psql -c "ALTER ROLE <role> CONNECTION LIMIT 78/],
  [{ connectionLimit: 47 }, 'connections', 'failure', /has 47/, /ALTER DATABASE <database> CONNECTION LIMIT 78/],
  [MANY, 'connections', 'failure', /2 control planes and 10 engines open at most 210 connections/, /max_connections = 257/],
  [{ ...MANY, connectionsMax: 256 }, 'connections', 'warning', /rolling restart needs 252/, /max_connections = 257/],
  [{}, 'clock', 'ok', /agree/, null],
  [{ skewMs: 1999 }, 'clock', 'ok', /agree/, null],
  [{ skewMs: 2500 }, 'clock', 'warning', /2\.5 s behind/, /^timedatectl .*chrony/],
  [{ skewMs: -61_000 }, 'clock', 'failure', /61\.0 s ahead of/, /chrony/],
  [{ skewMs: 4000, roundTripMs: 5000 }, 'clock', 'ok', /agree/, null],
  [{}, 'secrets', 'ok', /one credential of each key was decrypted/, null],
  [{ sealedWith: [key('lost', false)] }, 'secrets', 'failure', /"lost"/, /,lost:<that key from its backup>/],
  [{ sealedWith: [key('first', false)] }, 'secrets', 'failure', /name "first" than the one .*: webhook_endpoints\/wh_1\/secret/, /backup/],
  [
    { sealedWith: [key('first'), key('second')], keyIds: ['second', 'first'] },
    'secrets',
    'warning',
    /still encrypted with "first"/,
    /^linkd secrets rotate$/,
  ],
  [{ keyIds: null }, 'secrets', 'unchecked', /well-formed/, null],
  [{ sealedWith: null }, 'secrets', 'unchecked', /schema/, null],
];

t.test('each fact about a database gives its finding and repair', async (t) => {
  for (const [different, check, status, text, repair] of CASES) {
    const finding = databaseFindings({ ...WELL, ...different }).find((one) => one.check === check);
    t.match(finding, { status, text }, JSON.stringify(different));
    if (repair === null) t.equal(finding?.repair, null);
    else t.match(finding?.repair, repair);
    t.equal(finding && repairFault(finding), '', JSON.stringify(different));
  }
  t.same([...new Set(CASES.map(([, check]) => check))].sort(), ['database', ...DATABASE_CHECKS].sort(), 'every check has a case');
});

t.test('without a database there is one failure, and checks that need it are unchecked', async (t) => {
  const [first, ...rest] = databaseAway('connect ECONNREFUSED');
  t.match(first, { check: 'database', status: 'failure', text: /ECONNREFUSED/, repair: /^DATABASE_URL=.*systemctl start postgresql$/ });
  t.same(
    rest.map(({ check }) => check),
    [...DATABASE_CHECKS],
  );
  t.ok(rest.every(({ status, repair }) => status === 'unchecked' && repair === null));
});

t.test('connections are counted as running processes report them, and an asked number of processes by these settings', async (t) => {
  const environment = { REDIRECT_PROCESSES: '2', ENGINE_ROLES: 'redirect,background,webhooks' };
  t.same(connectionsBySettings(environment), { control_planes: 30, engines: 20 });
  t.same(connectionsBySettings({ ...environment, DATABASE_POOL_URL: 'postgres:///x' }), { control_planes: 2, engines: 9 });
  t.same(connectionsBySettings({ ...environment, ENGINE_ROLES: 'redirect', DATABASE_CONNECTIONS: '5' }), {
    control_planes: 19,
    engines: 14,
  });
  const living = { half: 'engines', processes: 3, connections: 50, largest: 40, unsaid: 1 } as const;
  t.same(openedConnections(living, { asked: null, each: 18 }), { processes: 3, connections: 68, largest: 40 });
  t.same(openedConnections({ ...living, unsaid: 0 }, { asked: null, each: 99 }), { processes: 3, connections: 50, largest: 40 });
  t.same(openedConnections(living, { asked: 5, each: 18 }), { processes: 5, connections: 90, largest: 18 });
  t.same(openedConnections(undefined, { asked: null, each: 18 }), { processes: 1, connections: 18, largest: 18 }, 'before the first start');
});
