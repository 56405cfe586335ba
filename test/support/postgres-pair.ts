import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Test } from 'tap';
import { type ServerUser, serverUser } from '../../deploy/local/server-user.js';
import { debianPostgres, hasDebianPostgres } from './debian-postgres.js';
import { deployed, replaced } from './deployed-files.js';
import { freePort } from './free-port.js';
import { hasProgram } from './programs.js';
import { type Command, type StartedProgram, startProgram } from './start-program.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

const PASSWORD = 'pair';
const DATABASE = 'link_service';
/** A host that dies is noticed after 20 s, and what was its standby has to be promoted. */
const FAILOVER_MS_MAX = 90_000;
const START_MS_MAX = 120_000;

/** How the primary is lost. */
export type Loss = 'crash' | 'host' | 'switchover';

/** Two PostgreSQL servers of Patroni behind HAProxy, from the files of deploy/. */
export interface PostgresPair {
  /** The URL of the primary, whichever server that is, as the database's owner. */
  readonly url: string;
  /** Resolves when both run and the standby has what the primary has. */
  whole(): Promise<void>;
  /** Kills HAProxy with -9, and starts it again. */
  killProxy(): Promise<void>;
  /** Takes the primary away, and resolves when the other server is primary. The lost one comes back as its standby. */
  failOver(loss: Loss): Promise<void>;
  /**
   * Stops the standby from receiving. What is committed until the failover that follows is only on the primary: it is
   * lost, unless commits wait for the standby.
   */
  holdUpStandby(): Promise<void>;
}

export function hasPair(t: Test): boolean {
  const programs = [
    ['patroni', 'patroni'],
    ['etcd', 'etcd-server'],
    ['haproxy', 'haproxy'],
  ] as const;
  if (!programs.every(([program, debianPackage]) => hasProgram(t, program, debianPackage))) return false;
  return hasDebianPostgres(t);
}

export interface Cluster {
  readonly t: Test;
  readonly folder: string;
  /** PostgreSQL refuses to run as root. */
  readonly user: ServerUser | null;
  readonly etcdPort: number;
}

export interface Member {
  readonly name: string;
  readonly port: number;
  readonly apiPort: number;
  readonly dataDir: string;
  patroni: StartedProgram;
}

export async function startPostgresPair(t: Test, { synchronous }: { readonly synchronous: boolean }): Promise<PostgresPair> {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o755);
  const user = process.getuid?.() === 0 ? serverUser(null) : null;
  const etcdPort = await startEtcd(t, folder, user);
  const cluster: Cluster = { t, folder, user, etcdPort };
  writeFileSync(join(folder, 'patroni.yaml'), settingsOf(synchronous));
  const members = [await startMember(cluster, 'postgres-1')];
  await until(() => primaryOf(members), 'the first server to be primary', START_MS_MAX);
  members.push(await startMember(cluster, 'postgres-2'));
  await createOwnDatabase(members[0] as Member);
  const proxy = haproxyCommand(folder, members, await freePort());
  let haproxy = await startProgram(t, proxy.command, proxy.port);
  const whole = () => untilWhole(members, synchronous);
  await whole();
  let heldUp: number | null = null;
  return {
    url: `postgres://${DATABASE}:${PASSWORD}@127.0.0.1:${proxy.port}/${DATABASE}`,
    whole,
    async killProxy() {
      await haproxy.kill();
      haproxy = await startProgram(t, proxy.command, proxy.port);
    },
    async failOver(loss) {
      const primary = await until(() => primaryOf(members), 'a primary');
      let killed: number | null = null;
      if (loss === 'switchover') await switchOver(primary);
      else killed = await kill(primary, loss);
      // The standby's receiver would still accept what is on its way.
      if (heldUp !== null) process.kill(heldUp, 'SIGKILL');
      heldUp = null;
      const isPromoted = async () => {
        // Without a standby that is whole again, Patroni would only restart it again.
        if (loss === 'crash' && (await isBackAsPrimary(primary, killed)) && (await isWhole(members, synchronous))) {
          t.comment(`${primary.name} was restarted after its crash, since its standby did not answer: it is crashed once more`);
          killed = await kill(primary, loss);
        }
        return primaryOf(members.filter((member) => member !== primary));
      };
      await untilSaid(members, isPromoted, 'the standby to be primary', FAILOVER_MS_MAX);
      if (loss === 'host') primary.patroni = await startPatroni(cluster, primary);
    },
    async holdUpStandby() {
      const primary = await until(() => primaryOf(members), 'a primary');
      heldUp = await receiverOf(members.find((member) => member !== primary) as Member);
      process.kill(heldUp, 'SIGSTOP');
    },
  };
}

/** If commits do not wait, the test holds the standby up until it lags further behind than the file of deploy/ would allow. */
const LAG_MAX = 256 * 1024 ** 2;

/** The file of deploy/, but quicker to detect a loss and without flushes, because nothing here has to survive the machine. */
export function settingsOf(synchronous: boolean): string {
  const changes = [
    ['loop_wait: 5\n    retry_timeout: 5', 'loop_wait: 1\n    retry_timeout: 3'],
    ['synchronous_mode: true', `synchronous_mode: ${synchronous}`],
    ['maximum_lag_on_failover: 1048576', `maximum_lag_on_failover: ${LAG_MAX}`],
    ['wal_log_hints: "on"', 'wal_log_hints: "on"\n        fsync: "off"'],
    ['- host all all samenet scram-sha-256', '- host all all samenet scram-sha-256\n    - local all all trust'],
    ['mode: automatic', 'mode: "off"'],
  ] as const;
  return changes.reduce((text, [words, by]) => replaced(text, words, by), deployed('patroni/patroni.yaml'));
}

export async function startEtcd(t: Test, folder: string, user: ServerUser | null): Promise<number> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const own = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const dataDir = ownFolder(join(folder, 'etcd'), user);
  const flags = ['--data-dir', dataDir, '--listen-client-urls', own, '--advertise-client-urls', own, '--listen-peer-urls', peer];
  const alone = ['--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`, '--unsafe-no-fsync'];
  await startProgram(t, ['etcd', [...flags, ...alone, '--log-level', 'error']], port, place(user));
  return port;
}

export function ownFolder(path: string, user: ServerUser | null): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (user !== null) chownSync(path, user.uid, user.gid);
  return path;
}

function place(user: ServerUser | null) {
  return user === null ? { cwd: '/' } : { cwd: '/', uid: user.uid, gid: user.gid };
}

export async function startMember(cluster: Cluster, name: string): Promise<Member> {
  const home = ownFolder(join(cluster.folder, name), cluster.user);
  const at = { name, port: await freePort(), apiPort: await freePort(), dataDir: join(home, 'data') };
  const member = { ...at, patroni: await startPatroni(cluster, at) };
  cluster.t.teardown(async () => endServer(member));
  return member;
}

/** Starts Patroni with the settings that differ from host to host, as in deploy/failover.md. */
export function startPatroni({ t, folder, user, etcdPort }: Cluster, { name, port, apiPort, dataDir }: Omit<Member, 'patroni'>) {
  const environment = {
    PATRONI_NAME: name,
    PATRONI_ETCD3_HOSTS: `127.0.0.1:${etcdPort}`,
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${apiPort}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${apiPort}`,
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_DATA_DIR: dataDir,
    PATRONI_POSTGRESQL_BIN_DIR: debianPostgres() ?? '',
    PATRONI_POSTGRESQL_PGPASS: join(folder, name, 'pgpass'),
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: PASSWORD,
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: PASSWORD,
    LC_ALL: 'C',
  };
  return startProgram(t, ['patroni', [join(folder, 'patroni.yaml')], environment], apiPort, place(user));
}

function haproxyCommand(folder: string, members: readonly Member[], port: number): { readonly command: Command; readonly port: number } {
  const line = (number: number) => `server postgres-${number} 10.0.0.${number}:5432 check port 8008`;
  const text = members.reduce(
    (text, { name, port, apiPort }, index) => replaced(text, line(index + 1), `server ${name} 127.0.0.1:${port} check port ${apiPort}`),
    replaced(deployed('haproxy/postgres.cfg'), 'bind :5000', `bind 127.0.0.1:${port}`),
  );
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, text);
  return { command: ['haproxy', ['-db', '-f', file]], port };
}

/** The member may be a standby, to which the service's own clients do not connect. */
export async function asSuperuser<Row extends pg.QueryResultRow>({ port }: Member, statements: readonly string[]): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres` });
  client.on('error', () => {}); // The current statement, or the next one, fails.
  await client.connect();
  try {
    const results: Row[] = [];
    for (const statement of statements) results.push(...(await client.query<Row>(statement)).rows);
    return results;
  } finally {
    await client.end();
  }
}

export async function createOwnDatabase(primary: Member): Promise<void> {
  await asSuperuser(primary, [`CREATE ROLE ${DATABASE} LOGIN PASSWORD '${PASSWORD}'`, `CREATE DATABASE ${DATABASE} OWNER ${DATABASE}`]);
}

/** Returns the process of the standby that receives what the primary writes. Patroni may restart a standby that was already there. */
function receiverOf(standby: Member): Promise<number> {
  const look = async () => (await asSuperuser<{ pid: number }>(standby, [RECEIVER]).catch(() => []))[0]?.pid;
  return until(look, 'the standby to receive', START_MS_MAX);
}

const RECEIVER = 'SELECT pid FROM pg_stat_wal_receiver';

/** Returns the member that Patroni reports as primary; null while there is none. */
export async function primaryOf(members: readonly Member[]): Promise<Member | null> {
  for (const member of members) {
    const response = await fetch(`http://127.0.0.1:${member.apiPort}/primary`).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok === true) return member;
  }
  return null;
}

interface ClusterMember {
  readonly name: string;
  readonly role: string;
}

async function clusterOf(members: readonly Member[]): Promise<readonly ClusterMember[]> {
  for (const { apiPort } of members) {
    const response = await fetch(`http://127.0.0.1:${apiPort}/cluster`).catch(() => null);
    if (response?.ok === true) return ((await response.json()) as { members: readonly ClusterMember[] }).members;
  }
  return [];
}

/** What Patroni reports may be out of date, but the primary knows. A standby that lags far behind would not be promoted. */
const STREAMING = `SELECT 1 FROM pg_stat_replication
  WHERE state = 'streaming' AND pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) < 100000`;

async function isWhole(members: readonly Member[], synchronous: boolean): Promise<boolean> {
  const primary = await primaryOf(members);
  if (primary === null) return false;
  // After a switchover the other Patroni may still know the earlier pair, with the same roles.
  const known = await clusterOf([primary]);
  const hasStandby = known.some(({ name, role }) => name !== primary.name && role === (synchronous ? 'sync_standby' : 'replica'));
  return hasStandby && (await asSuperuser(primary, [STREAMING]).catch(() => [])).length > 0;
}

export async function untilWhole(members: readonly Member[], synchronous: boolean): Promise<void> {
  await untilSaid(members, () => isWhole(members, synchronous), 'both servers to be there', START_MS_MAX);
}

/** Like `until`, but its error contains what every Patroni knew and printed. */
async function untilSaid(members: readonly Member[], look: () => Promise<unknown>, what: string, timeoutMs: number): Promise<void> {
  try {
    await until(look, what, timeoutMs);
  } catch (error) {
    const said = members.map(({ patroni }) => patroni.said());
    throw new Error([(error as Error).message, JSON.stringify(await clusterOf(members)), ...said].join('\n'));
  }
}

async function switchOver(primary: Member): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ leader: primary.name });
  const response = await fetch(`http://127.0.0.1:${primary.apiPort}/switchover`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`no switchover: ${response.status} ${await response.text()}`);
}

/** Returns the process that was killed. With `host`, Patroni dies with its server, and cannot give up the leader's place. */
async function kill(primary: Member, loss: 'crash' | 'host'): Promise<number | null> {
  const pid = pidOf(primary);
  if (loss === 'host') await primary.patroni.kill();
  if (pid !== null) process.kill(pid, 'SIGKILL');
  return pid;
}

/** Patroni asks the standby once whether it can take over. Without an answer, it restarts the server that crashed. */
async function isBackAsPrimary(member: Member, killed: number | null): Promise<boolean> {
  const pid = pidOf(member);
  return pid !== null && pid !== killed && (await primaryOf([member])) !== null;
}

/**
 * Returns the pid of the server. While Patroni runs it for one user alone, to recover it from its crash, the file has a
 * negative number.
 */
function pidOf({ dataDir }: Member): number | null {
  const file = join(dataDir, 'postmaster.pid');
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n', 1)[0]) : 0;
  return pid > 0 ? pid : null;
}

/** Patroni ends its server with itself. A server that Patroni had no time to end is ended here. */
function endServer(member: Member): void {
  const pid = pidOf(member);
  try {
    if (pid !== null) process.kill(pid, 'SIGQUIT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
