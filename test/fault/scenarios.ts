import { connect, type Socket } from 'node:net';
import type { Test } from 'tap';
import { openConfigReader } from '../../engine/store/config-store.js';
import { DRAIN_DEADLINE_MS } from '../../shared/base/limits.js';
import { createLogger } from '../../shared/base/log.js';
import { startEngine } from '../support/engine.js';
import { compareLedger, type Ledger, type LedgerClient, startLedgerClient } from '../support/ledger-client.js';
import { visitorPerProcess } from '../support/process-visitors.js';
import { type CreatedLink, clicksOf, createLedgerLink, type Stack, startOwnPostgres, startStack } from '../support/stack.js';
import { until } from '../support/until.js';
import { createVisitor } from '../support/visitor.js';

/**
 * What the service survives, each as one function with its length as a parameter: `npm test` runs the short form,
 * `npm run test:fault` the long one.
 */

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

function load(
  stack: Stack,
  link: CreatedLink,
  more: { connections?: number; newConnections?: boolean; firstNumber?: number } = {},
): LedgerClient {
  const { connections = 8, ...rest } = more;
  return startLedgerClient({ port: stack.engine.port, host: stack.project.linkHost, path: `/${link.path}`, connections, ...rest });
}

/** Every answered redirect is in the click log once; no other click is, but those whose answer was lost on the way. */
async function checkLedger(t: Test, stack: Stack, ledger: Ledger): Promise<void> {
  t.ok(ledger.answered.size > 100, `${ledger.answered.size} redirects were answered, ${ledger.inDoubt.size} are in doubt`);
  t.same(ledger.wrong, [], 'every answer is a redirect');
  t.same(
    compareLedger(ledger, await clicksOf(stack, ledger.answered.size)),
    { lost: [], doubled: [], unknown: [] },
    'the click log agrees',
  );
}

/** PostgreSQL is stopped under load. */
export async function postgresAway(t: Test, awayMs: number): Promise<void> {
  const postgres = await startOwnPostgres(t);
  const stack = await startStack(t, { databaseUrl: postgres.url });
  const link = await createLedgerLink(stack);
  const client = load(stack, link);
  await sleep(500);
  await postgres.stop();
  await sleep(awayMs);
  const during = client.ledger().answered.size;
  await postgres.start();
  await sleep(500);
  const ledger = await client.stop();
  t.ok(during > 0 && ledger.answered.size > during);
  t.same([ledger.refused, ledger.inDoubt.size], [0, 0], 'no redirect failed');
  await checkLedger(t, stack, ledger);
  await stack.engine.whenReady();
}

/** PostgreSQL is killed under load, as a crash would; it recovers by itself. */
export async function postgresCrashes(t: Test, crashes: number): Promise<void> {
  const postgres = await startOwnPostgres(t);
  const stack = await startStack(t, { databaseUrl: postgres.url });
  const link = await createLedgerLink(stack);
  const client = load(stack, link);
  for (let crash = 0; crash < crashes; crash++) {
    await sleep(700);
    postgres.crash();
    await until(() => stack.rows('SELECT 1').catch(() => null), 'PostgreSQL to recover');
  }
  const ledger = await client.stop();
  t.same([ledger.refused, ledger.inDoubt.size], [0, 0], 'no redirect failed');
  await checkLedger(t, stack, ledger);
}

/** kill -9 of each process in turn, under load, the supervisor among them. */
export async function killEachProcess(t: Test, rounds: number): Promise<void> {
  // Its port is to be found again after the supervisor's death.
  const stack = await startStack(t);
  stack.engine = await restartOnPort(stack);
  const link = await createLedgerLink(stack);
  const client = load(stack, link);
  await sleep(300);
  for (let round = 0; round < rounds; round++) {
    for (const name of ['redirect-0', 'background', 'redirect-1']) await killOne(t, stack, name);
    await stack.engine.kill();
    stack.engine = await startEngine({ ...stack.engineOptions, environment: fixedPorts(stack) });
    await stack.engine.whenReady();
    await sleep(200);
  }
  await checkLedger(t, stack, await client.stop());
}

function fixedPorts({ engine, engineOptions }: Stack): Readonly<Record<string, string>> {
  return { ...engineOptions.environment, ENGINE_PORT: String(engine.port) };
}

/** The same engine on a port that is set, not chosen by the system. */
async function restartOnPort(stack: Stack): Promise<Stack['engine']> {
  const environment = fixedPorts(stack);
  await stack.engine.stop();
  const engine = await startEngine({ ...stack.engineOptions, environment });
  await engine.whenReady();
  return engine;
}

async function killOne(t: Test, stack: Stack, name: string): Promise<void> {
  const pid = (await stack.engine.pids()).get(name);
  if (pid === undefined) throw new Error(`there is no process ${name}`);
  const killedAt = performance.now();
  process.kill(pid, 'SIGKILL');
  await until(async () => {
    const { processes } = await stack.engine.health();
    const now = processes.find((process) => process.name === name);
    return now?.mode === 'serving' && now.pid !== pid;
  }, `a successor of ${name}`);
  const tookMs = Math.round(performance.now() - killedAt);
  // 1 s on a machine of its own; here the load, the tests beside and the client share two cores.
  t.ok(tookMs < 10_000, `${name} was back after ${tookMs} ms`);
  await stack.engine.whenReady();
}

/** SIGUSR2 under keep-alive and under new connections. */
export async function rollingRestarts(t: Test, restarts: number): Promise<void> {
  const stack = await startStack(t);
  const link = await createLedgerLink(stack);
  const clients = [
    load(stack, link, { connections: 8 }),
    load(stack, link, { connections: 4, newConnections: true, firstNumber: 1_000_000_000 }),
  ];
  for (let restart = 0; restart < restarts; restart++) {
    const before = await stack.engine.pids();
    stack.engine.child.kill('SIGUSR2');
    await until(
      async () => {
        const now = await stack.engine.pids();
        return [...before].every(([name, pid]) => now.has(name) && now.get(name) !== pid);
      },
      'every process to be another one',
      60_000,
    );
    await stack.engine.whenReady();
  }
  const ledgers = await Promise.all(clients.map((client) => client.stop()));
  for (const { refused, inDoubt } of ledgers) t.same([refused, inDoubt.size], [0, 0], 'no request failed');
  const all: Ledger = {
    answered: new Set(ledgers.flatMap(({ answered }) => [...answered])),
    inDoubt: new Set(),
    refused: 0,
    wrong: ledgers.flatMap(({ wrong }) => wrong),
  };
  await checkLedger(t, stack, all);
}

/** Idle keep-alive clients do not hold up the end. */
export async function drainWithIdleSockets(t: Test, count: number): Promise<void> {
  const stack = await startStack(t);
  const link = await createLedgerLink(stack);
  const sockets = await Promise.all(Array.from({ length: count }, () => idleSocket(stack, link)));
  const began = performance.now();
  await stack.engine.stop();
  const tookMs = performance.now() - began;
  t.ok(tookMs <= DRAIN_DEADLINE_MS + 1_500, `it ended after ${Math.round(tookMs)} ms`);
  t.match(await stack.engine.ended(), { code: 0 });
  for (const socket of sockets) socket.destroy();
}

/** A connection that has been answered once and stays open. */
function idleSocket(stack: Stack, link: CreatedLink): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(stack.engine.port, '127.0.0.1');
    socket.write(`GET /${link.path}?n=0 HTTP/1.1\r\nHost: ${stack.project.linkHost}\r\n\r\n`);
    socket.once('data', () => resolve(socket));
    socket.on('error', reject);
  });
}

/** A link redirects at the first request after its 201, on every redirect process, while many are being made. */
export async function manyLinks(t: Test, links: number, clients: number): Promise<void> {
  const stack = await startStack(t);
  const first = await createLedgerLink(stack);
  const pids = [...(await stack.engine.pids())].filter(([name]) => name.startsWith('redirect-')).map(([, pid]) => pid);
  const host = stack.project.linkHost;
  const failures: string[] = [];
  let made = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const visitors = await visitorPerProcess({ port: stack.engine.port, host, path: `/${first.path}` }, pids);
      while (made < links) {
        const number = made++;
        const destination = `https://destination.example/item/${number}`;
        const { status, body } = await stack.controlPlane.call<CreatedLink>(stack.project, 'POST', '/links', {
          destinations: { web: destination },
        });
        if (status !== 201) failures.push(`link ${number}: ${status}`);
        const visits = await Promise.all([...visitors.values()].map((visitor) => visitor.visit(`/${body.path}`)));
        for (const visit of visits)
          if (visit.status !== 302 || visit.location !== destination) failures.push(`link ${number}: ${visit.status} ${visit.location}`);
      }
      for (const visitor of visitors.values()) visitor.close();
    }),
  );
  t.same(failures.slice(0, 10), [], `each of ${links} links redirected at its first request on ${pids.length} processes`);
  await checkStore(t, stack, links + 1);
}

interface LinkRow {
  readonly id: string;
  readonly path: string;
  readonly state: string;
  readonly number: number;
  readonly web: string | null;
}

/** LMDB holds what PostgreSQL holds. */
async function checkStore(t: Test, stack: Stack, count: number): Promise<void> {
  const rows = await stack.rows<LinkRow>(
    `SELECT link.id, link.path, link.state, environment.number, link.destinations ->> 'web' AS web
     FROM links AS link JOIN environments AS environment ON environment.id = link.environment_id`,
  );
  t.equal(rows.length, count);
  const reader = openConfigReader(stack.engineOptions.dataDir, createLogger('test', 'silent'));
  try {
    const differing = () =>
      rows.filter(({ id, path, state, number, web }) => {
        const record = reader.findLink(number, path);
        return record?.id !== id || record.state !== state || record.destinations.web !== web;
      });
    await until(() => differing().length === 0, 'the store to hold every link').catch(() => {});
    t.same(differing().slice(0, 5), [], 'the store equals PostgreSQL');
  } finally {
    await reader.close();
  }
}

/** A process that is stopped, not dead, is seen within 15 s, and replaced. */
export async function stoppedProcess(t: Test, name: string): Promise<void> {
  const stack = await startStack(t);
  const pid = (await stack.engine.pids()).get(name);
  if (pid === undefined) throw new Error(`there is no process ${name}`);
  const stoppedAt = performance.now();
  process.kill(pid, 'SIGSTOP');
  await until(async () => (await stack.engine.health()).status === 'failing', 'the health page to turn red');
  const redMs = performance.now() - stoppedAt;
  t.ok(redMs < 15_000, `red after ${Math.round(redMs)} ms`);
  await until(async () => (await stack.engine.pids()).get(name) !== pid, 'its successor');
  await stack.engine.whenReady();
  const visitor = createVisitor(stack.engine.port, stack.project.linkHost);
  const link = await createLedgerLink(stack);
  t.equal((await visitor.visit(`/${link.path}`)).status, 302);
  visitor.close();
}
