import { get as getPlain, type RequestOptions } from 'node:http';
import { get as getTls } from 'node:https';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Test } from 'tap';
import { HOSTILE } from '../engine/http/conformance.js';
import { attack, seededRandom } from '../support/hostile-client.js';
import { type ProxyKind, type StartedProxy, startProxy } from '../support/proxies.js';
import { DESKTOP } from '../support/visitor.js';
import { startHost } from './hostile-scenarios.js';

/** How other clients affect the visitors of a proxy. Each scenario is a function with its length as a parameter, as in `scenarios.ts`. */

export interface ProxyVisit {
  readonly headers?: Readonly<Record<string, string>>;
  /** The address that the visitor connects from. */
  readonly localAddress?: string;
}

/** Follows a link over a new connection. Returns the status of the answer, or 0 if there is none. */
export function visitThrough(
  proxy: StartedProxy,
  path: string,
  { headers = {}, localAddress = '127.0.0.1' }: ProxyVisit = {},
): Promise<number> {
  const host = 'go.shop.example';
  const options: RequestOptions & { servername: string; rejectUnauthorized: boolean } = {
    ...{ host: '127.0.0.1', port: proxy.port, path, localAddress, agent: false, timeout: 20_000 },
    ...{ servername: host, rejectUnauthorized: false, headers: { host, 'user-agent': DESKTOP, ...headers } },
  };
  return new Promise((resolve) => {
    const outgoing = (proxy.tls ? getTls : getPlain)(options, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', () => resolve(0));
  });
}

/** Makes one visit after the other. Returns how many did not get their redirect. */
export async function countLostVisits(proxy: StartedProxy, visits: number): Promise<number> {
  let lost = 0;
  for (let visit = 0; visit < visits; visit++) if ((await visitThrough(proxy, '/abc')) !== 302) lost++;
  return lost;
}

/**
 * Promise R19: makes visits while the rows of the table of hostile requests are sent, each at least once. Returns the number of
 * lost visits.
 */
export async function visitBesideHostileRows(proxy: StartedProxy, visits: number): Promise<number> {
  let over = false;
  const senders = HOSTILE.map(async ({ bytes }) => {
    do await sendAndLeave(proxy, bytes);
    while (!over);
  });
  const lost = await countLostVisits(proxy, visits);
  over = true;
  await Promise.all(senders);
  return lost;
}

const LEAVE_MS = 300;

/** Does not parse the answer, because a request of HTTP/1.0 is answered with HTTP/1.0. */
function sendAndLeave({ port, tls }: StartedProxy, bytes: string): Promise<void> {
  const socket = tls
    ? connectTls({ port, host: '127.0.0.1', servername: 'go.shop.example', rejectUnauthorized: false })
    : connect(port, '127.0.0.1');
  socket.once(tls ? 'secureConnect' : 'connect', () => socket.write(Buffer.from(bytes, 'latin1')));
  socket.on('error', () => {});
  socket.resume();
  const late = setTimeout(() => socket.destroy(), LEAVE_MS);
  return new Promise((resolve) =>
    socket.once('close', () => {
      clearTimeout(late);
      resolve();
    }),
  );
}

/** How many heads are sent in one burst. */
const BURST_HEADS = 20_000;

/** Promises R9 and R19: whatever strangers send to a proxy, the engines behind it survive, and no visit is lost. */
export async function attackThroughProxy(
  t: Test,
  kind: ProxyKind,
  { requests, visits }: { requests: number; visits: number },
): Promise<void> {
  const engines = await Promise.all((['uws', 'uws'] as const).map((listener) => startHost(t, listener, 'well')));
  const proxy = await startProxy(
    t,
    kind,
    engines.map(({ port }) => port),
  );
  const seed = Date.now() >>> 0;
  const random = seededRandom(seed);
  const alive = () => engines.every((engine) => engine.alive());
  let sent = 0;
  const attacked = (async () => {
    while (sent < requests && alive()) {
      const burst = Math.min(BURST_HEADS, requests - sent);
      const ports = { port: proxy.port, tlsPort: proxy.port, tlsShare: proxy.tls ? 1 : 0 };
      sent += await attack({ ...ports, requests: burst, connections: 32, random, goOn: alive });
    }
  })();
  const lost = await countLostVisits(proxy, visits);
  await attacked;
  t.comment(`${kind}: ${sent} heads sent, seed ${seed}`);
  t.equal(lost, 0, `${kind}: ${lost} of ${visits} visits were lost`);
  t.equal(await visitThrough(proxy, '/abc'), 302, 'the proxy still serves');
  for (const engine of engines) t.ok(engine.alive(), `${engine.child.signalCode ?? engine.child.exitCode ?? 'it lives'}`);
}
