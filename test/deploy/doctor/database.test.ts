import t from 'tap';
import { DATABASE_CHECKS, type DatabaseFacts, databaseAway, databaseFindings } from '../../../deploy/doctor/database.js';

/** One control plane opens 30, one engine 18: 48, and 78 during a rolling restart. */
const WELL: DatabaseFacts = {
  serverVersion: 150_006,
  hasTrigrams: true,
  pending: [],
  unknown: [],
  connectionsMax: 100,
  connectionsReserved: 3,
  connectionsOfOthers: 2,
  controlPlanes: 1,
  engines: 1,
  apiConnections: 16,
  redirectProcesses: 2,
  pooled: false,
  skewMs: 3,
  roundTripMs: 2,
  sealedWith: ['first'],
  keyIds: ['first'],
};

const CASES: readonly [Partial<DatabaseFacts>, string, string, RegExp, RegExp | null][] = [
  [{}, 'database', 'ok', /PostgreSQL 15\.6/, null],
  [{ serverVersion: 140_011 }, 'database', 'failure', /14\.11 is too old/, /15 or later/],
  [{ hasTrigrams: false }, 'database', 'failure', /pg_trgm/, /contrib/],
  [{}, 'schema', 'ok', /that of this release/, null],
  [{ pending: ['0002_x', '0003_y'] }, 'schema', 'failure', /not run: 2, the first is 0002_x/, /^linkd migrate$/],
  [{ unknown: ['0099_z'] }, 'schema', 'warning', /newer release: 0099_z/, /newer release/],
  [{}, 'connections', 'ok', /open 48 connections at most, and PostgreSQL has 95/, null],
  [{ connectionsMax: 83 }, 'connections', 'ok', /has 78/, null],
  [{ connectionsMax: 82 }, 'connections', 'warning', /rolling restart needs 78/, /max_connections = 83/],
  [{ connectionsMax: 52 }, 'connections', 'failure', /has 47/, /DATABASE_CONNECTIONS/],
  [{ connectionsMax: 52, pooled: true }, 'connections', 'ok', /open 11 connections at most/, null],
  [{ engines: 10, controlPlanes: 2 }, 'connections', 'failure', /2 control planes and 10 engines open 240/, /max_connections = 275/],
  [{}, 'clock', 'ok', /agree/, null],
  [{ skewMs: 1999 }, 'clock', 'ok', /agree/, null],
  [{ skewMs: 2500 }, 'clock', 'warning', /2\.5 s behind/, /chrony/],
  [{ skewMs: -61_000 }, 'clock', 'failure', /61\.0 s ahead of/, /chrony/],
  [{ skewMs: 4000, roundTripMs: 5000 }, 'clock', 'ok', /agree/, null],
  [{}, 'secrets', 'ok', /opens every/, null],
  [{ sealedWith: ['lost'] }, 'secrets', 'failure', /"lost"/, /from its backup/],
  [{ sealedWith: ['first', 'second'], keyIds: ['second', 'first'] }, 'secrets', 'warning', /"first" still/, /^linkd secrets rotate$/],
  [{ keyIds: null }, 'secrets', 'unchecked', /well-formed/, null],
  [{ sealedWith: null }, 'secrets', 'unchecked', /schema/, null],
];

t.test('each fact of a database is a finding with what repairs it', async (t) => {
  for (const [different, check, status, text, repair] of CASES) {
    const finding = databaseFindings({ ...WELL, ...different }).find((one) => one.check === check);
    t.match(finding, { status, text }, JSON.stringify(different));
    if (repair === null) t.equal(finding?.repair, null);
    else t.match(finding?.repair, repair);
  }
  t.same([...new Set(CASES.map(([, check]) => check))].sort(), ['database', ...DATABASE_CHECKS].sort(), 'every check has a case');
});

t.test('without a database one finding is a failure, and what needs it is unchecked', async (t) => {
  const [first, ...rest] = databaseAway('connect ECONNREFUSED');
  t.match(first, { check: 'database', status: 'failure', text: /ECONNREFUSED/, repair: /DATABASE_URL/ });
  t.same(
    rest.map(({ check }) => check),
    [...DATABASE_CHECKS],
  );
  t.ok(rest.every(({ status, repair }) => status === 'unchecked' && repair === null));
});
