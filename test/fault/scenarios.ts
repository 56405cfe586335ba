import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Test } from 'tap';
import { openConfigReader } from '../../engine/config/config-reader.js';
import { spoolFolder } from '../../engine/settings.js';
import { readDroppedClicks } from '../../engine/spool/drop-counters.js';
import { DRAIN_DEADLINE_MS } from '../../shared/base/limits.js';
import { createLogger } from '../../shared/base/log.js';
import { startCustomerApi } from '../support/customer-api.js';
import { Ledger } from '../support/ledger.js';
import { type LedgerClient, startLedgerClient } from '../support/ledger-client.js';
import { askCard, makePreviewedType } from '../support/preview-bots.js';
import { visitorPerProcess } from '../support/process-visitors.js';
import {
  type CreatedLink,
  createCountedLink,
  type Stack,
  startOwnPostgres,
  startStack,
  untilReplicated,
  waitForClicks,
} from '../support/stack.js';
import { until } from '../support/until.js';
import { createVisitor, DESKTOP } from '../support/visitor.js';

/**
 * What the service survives. Each scenario is a function with its length as a parameter: `npm test` runs the short form, `npm run
 * test:fault` the long one.
 */

export const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

interface Load {
  readonly ledger: Ledger;
  readonly connections?: number;
  readonly newConnections?: boolean;
  readonly referrer?: string;
  readonly restMs?: number;
}

/** Starts visitors of the link, who come until they are stopped. */
export function load({ engine, project }: Stack, { path }: CreatedLink, { connections = 8, ...rest }: Load): LedgerClient {
  return startLedgerClient({ port: engine.port, host: project.linkHost, path: `/${path}`, connections, ...rest });
}

/** Any click that is stored twice would appear within this time: the spool is read every 100 ms. */
const LATE_CLICKS_MS = 500;

/**
 * Checks that every answered redirect is in the click log once, except as many as were counted as dropped, and that the log has
 * no other click, except those whose answer was lost on the way.
 */
export async function checkCounts(t: Test, stack: Stack, ledger: Ledger): Promise<void> {
  const { answered, inDoubt, wrong } = ledger;
  const dropped = readDroppedClicks(spoolFolder(stack.engineOptions.dataDir));
  const droppedClicks = dropped.bound + dropped.disk;
  t.comment(`${answered} redirects were answered, ${inDoubt} are in doubt, ${dropped.bound} and ${dropped.disk} clicks were dropped`);
  t.ok(answered > 100, 'more than a hundred redirects were answered');
  t.same(wrong, [], 'every answer is a redirect');
  await waitForClicks(stack, answered - droppedClicks);
  await sleep(LATE_CLICKS_MS);
  const { lost, doubled, unknown } = await ledger.compare(stack.clickLog.queries());
  t.equal(lost.length, droppedClicks, 'every answered redirect is in the click log or counted as dropped');
  t.same([doubled, unknown], [[], []], 'the click log has no click twice, and none that was not requested');
}

/** The status of the answer to a HEAD, which is not a click. */
function statusOfHead({ engine, project }: Stack, path: string): Promise<number | undefined> {
  const address = { host: '127.0.0.1', port: engine.port, path, method: 'HEAD', agent: false };
  return new Promise((resolve, reject) => {
    request({ ...address, headers: { host: project.linkHost, 'user-agent': DESKTOP } }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
}

/**
 * Stops PostgreSQL under load. Cards are still shown: remembered ones, and those of items that the API is asked for. A long link,
 * which has to be checked against the block list, is unavailable while PostgreSQL is away, and no longer.
 */
export async function postgresAway(t: Test, awayMs: number): Promise<void> {
  const postgres = await startOwnPostgres(t);
  const api = await startCustomerApi(t, (path, response) => response.end(JSON.stringify({ name: path.slice(1) })));
  const stack = await startStack(t, { databaseUrl: postgres.url, environment: { OUTBOUND_ALLOW: api.origin } });
  const link = await createCountedLink(stack);
  const configuration = { url_template: `${api.origin}/{id}`, field_mapping: { title: 'name' }, timeout_ms: 5000 };
  await makePreviewedType(stack, 'stock', configuration);
  const titleOf = async (item: string) => (await askCard(stack, `/stock/${item}`)).title;
  await until(async () => (await titleOf('warm')) === 'warm', 'the first card');
  const longLinks = { long_link_hosts: ['destination.example'], long_link_path: link.path };
  await stack.controlPlane.call(stack.project, 'PATCH', '/environment', longLinks);
  await untilReplicated(stack);
  const longLink = (page: string) => statusOfHead(stack, `/?link=https%3A%2F%2Fdestination.example%2F${page}`);
  await until(async () => (await longLink('before')) === 302, 'the setting of long links to be in effect');
  const ledger = new Ledger();
  const client = load(stack, link, { ledger });
  await sleep(500);
  await postgres.stop();
  t.same([await titleOf('warm'), await titleOf('cold')], ['warm', 'cold']);
  t.equal(await longLink('during'), 503, 'a long link that cannot be checked is unavailable');
  await sleep(awayMs);
  t.equal(await titleOf('colder'), 'colder');
  const during = ledger.answered;
  await postgres.start();
  await until(async () => (await longLink('during')) === 302, 'long links to be checked again');
  await sleep(500);
  await client.stop();
  t.ok(during > 0 && ledger.answered > during);
  t.same([ledger.refused, ledger.inDoubt], [0, 0], 'no redirect failed');
  await checkCounts(t, stack, ledger);
  await stack.engine.whenReady();
}

/** The spool stores the whole referrer, so that it soon fills up. The log stores only its host. */
export const LONG_REFERRER = `https://news.example/${'a'.repeat(1500)}`;
/** The smallest permitted size. */
export const SMALL_SPOOL_BYTES = 64 * 1024 ** 2;

/** PostgreSQL is away until the spool is full and clicks are dropped. */
export async function spoolOverflows(t: Test): Promise<void> {
  const postgres = await startOwnPostgres(t);
  const stack = await startStack(t, { databaseUrl: postgres.url, environment: { SPOOL_BYTES_MAX: String(SMALL_SPOOL_BYTES) } });
  const link = await createCountedLink(stack);
  await untilReplicated(stack);
  const ledger = new Ledger();
  const client = load(stack, link, { ledger, referrer: LONG_REFERRER });
  await postgres.stop();
  const dropped = () => readDroppedClicks(spoolFolder(stack.engineOptions.dataDir)).bound;
  await until(() => dropped() > 0, 'dropped clicks', 300_000);
  await postgres.start();
  await stack.engine.whenReady();
  await client.stop();
  t.same([ledger.refused, ledger.inDoubt], [0, 0], 'no redirect failed');
  await checkCounts(t, stack, ledger);
}

/** SIGUSR2 under load over keep-alive connections and over new ones. */
export async function rollingRestarts(t: Test, restarts: number): Promise<void> {
  const stack = await startStack(t);
  const link = await createCountedLink(stack);
  const ledger = new Ledger();
  const clients = [load(stack, link, { ledger }), load(stack, link, { ledger, connections: 4, newConnections: true })];
  for (let restart = 0; restart < restarts; restart++) {
    const before = await stack.engine.pids();
    stack.engine.child.kill('SIGUSR2');
    await until(
      async () => {
        const now = await stack.engine.pids();
        return [...before].every(([name, pid]) => now.has(name) && now.get(name) !== pid);
      },
      'every process to be replaced',
      60_000,
    );
    await stack.engine.whenReady();
  }
  await Promise.all(clients.map((client) => client.stop()));
  t.same([ledger.refused, ledger.inDoubt], [0, 0], 'no request failed');
  await checkCounts(t, stack, ledger);
}

/**
 * Idle keep-alive clients do not delay the shutdown beyond the deadline for connections, so that every process ends by itself and
 * none has to be killed.
 */
export async function drainWithIdleSockets(t: Test, count: number): Promise<void> {
  const stack = await startStack(t);
  const link = await createCountedLink(stack);
  const sockets = await Promise.all(Array.from({ length: count }, () => idleSocket(stack, link)));
  const began = performance.now();
  await stack.engine.stop();
  const tookMs = performance.now() - began;
  t.ok(tookMs < DRAIN_DEADLINE_MS, `it ended after ${Math.round(tookMs)} ms`);
  t.match(await stack.engine.ended(), { code: 0 });
  for (const socket of sockets) socket.destroy();
}

/** Opens a connection that has received one answer and stays open. */
function idleSocket(stack: Stack, link: CreatedLink): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(stack.engine.port, '127.0.0.1');
    socket.write(`GET /${link.path}?n=0 HTTP/1.1\r\nHost: ${stack.project.linkHost}\r\n\r\n`);
    socket.once('data', () => resolve(socket));
    socket.on('error', reject);
  });
}

/** While many links are being made, each redirects at the first request after its 201, on every redirect process. */
export async function manyLinks(t: Test, links: number, clients: number): Promise<void> {
  const stack = await startStack(t);
  const first = await createCountedLink(stack);
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

/** Checks that LMDB holds the same links as PostgreSQL. */
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
    t.same(differing().slice(0, 5), [], 'the store holds the same links as PostgreSQL');
  } finally {
    await reader.close();
  }
}

/** A process that is stopped, not dead, is noticed within 15 s and replaced. */
export async function stoppedProcess(t: Test, name: string): Promise<void> {
  const stack = await startStack(t);
  const pid = (await stack.engine.pids()).get(name);
  if (pid === undefined) throw new Error(`there is no process ${name}`);
  const stoppedAt = performance.now();
  process.kill(pid, 'SIGSTOP');
  await until(async () => (await stack.engine.health()).status === 'failing', 'the health page to fail');
  const redMs = performance.now() - stoppedAt;
  t.ok(redMs < 15_000, `the health page fails after ${Math.round(redMs)} ms`);
  await until(async () => (await stack.engine.pids()).get(name) !== pid, 'the next process');
  await stack.engine.whenReady();
  const visitor = createVisitor(stack.engine.port, stack.project.linkHost);
  const link = await createCountedLink(stack);
  t.equal((await visitor.visit(`/${link.path}`)).status, 302);
  visitor.close();
}
