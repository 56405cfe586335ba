import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Test } from 'tap';
import { spreadOf } from '../../bench/load/statistics.js';
import { type OwnPostgres, startOwnPostgres } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebhookQueue } from '../support/webhook-queue.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

/**
 * What the delivery of webhooks survives. Each scenario is a function with its length as a parameter: `npm test` runs the short
 * form, `npm run test:fault` the long one.
 */

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Repeats the work for up to a minute until it succeeds, because PostgreSQL may be away or just starting. */
async function persistently<Result>(work: () => Promise<Result>): Promise<Result> {
  let last: unknown;
  const tried = () =>
    work().then(
      (result) => ({ result }),
      (error: unknown) => {
        last = error;
        return null;
      },
    );
  const done = await until(tried, 'PostgreSQL to answer', 60_000).catch((error: Error) => {
    throw new Error(error.message, { cause: last });
  });
  return done.result;
}

export interface KillPlan {
  readonly events: number;
  /** The time from the recovery after one kill to the next kill. */
  readonly everyMs: number;
  /** How long the deliveries of a killed process stay leased. Attempts may take one second less. */
  readonly leaseMs: number;
  /** The least and the largest number of kills, however soon or late everything is delivered. */
  readonly kills: readonly [min: number, max: number];
}

const EMITTED_AT_ONCE = 50;

/**
 * Kills a delivery thread, the process and PostgreSQL in turn while events are emitted and delivered. Every event whose commit
 * was acknowledged arrives; only deliveries under way at a kill may arrive twice.
 */
export async function killedThroughout(t: Test, plan: KillPlan): Promise<void> {
  const postgres = await startOwnPostgres(t);
  const queue = await WebhookQueue.at(t, postgres.url);
  const arrived = new Map<string, number>();
  const receiver = await startReceiver(t, (response, { event }) => {
    arrived.set(event.id, (arrived.get(event.id) ?? 0) + 1);
    response.writeHead(200).end();
  });
  const tenants = [queue, await queue.another(), await queue.another(), await queue.another()];
  for (const [index, tenant] of tenants.entries()) await tenant.subscribe(receiver, `/${index}`);
  // An endpoint that no event is sent to: a test delivery to it ends the thread that takes it.
  const deadly = await queue.subscribe(receiver, '/dies', { events: ['campaign.ended'] });
  const dispatcher = new KilledDispatcher(t, { queue, receiver, postgres, deadlyId: deadly.id, leaseMs: plan.leaseMs });
  await dispatcher.start();

  const acknowledged = new Set<string>();
  const emitting = emitAll(tenants, plan.events, acknowledged);
  const arrivedAll = () => acknowledged.size >= plan.events && [...acknowledged].every((id) => arrived.has(id));
  let kills = 0;
  const [killsMin, killsMax] = plan.kills;
  while (kills < killsMin || (kills < killsMax && !arrivedAll())) {
    await sleep(plan.everyMs);
    await dispatcher.kill((['process', 'PostgreSQL', 'thread'] as const)[kills++ % 3]);
  }
  await emitting;
  await until(arrivedAll, 'every event to arrive', 120_000);
  // The test deliveries to this endpoint would end another thread after each lease.
  await persistently(() => queue.pool.query('DELETE FROM webhook_endpoints WHERE id = $1', [deadly.id]));
  const open = `SELECT count(*)::integer AS open FROM webhook_deliveries WHERE due_at IS NOT NULL AND webhook_id <> '${deadly.id}'`;
  await until(async () => (await queue.pool.query(open)).rows[0].open === 0, 'every delivery to be over', 120_000);

  const missing = [...acknowledged].filter((id) => !arrived.has(id));
  t.same(missing, [], `none of ${acknowledged.size} events is missing after ${kills} kills`);
  const { rows } = await queue.pool.query("SELECT count(*)::integer AS unfinished FROM webhook_deliveries WHERE status = 'pending'");
  t.equal(rows[0].unfinished, 0);
  const toEvents = receiver.received.filter(({ path }) => path !== '/dies');
  const doubled = toEvents.length - new Set(toEvents.map(({ headers }) => headers['x-service-delivery'])).size;
  t.comment(
    `${acknowledged.size} events, ${kills} kills, ${doubled} deliveries doubled, ${dispatcher.underWay} were under way at the kills`,
  );
  t.ok(doubled <= dispatcher.underWay, `${doubled} doubled, ${dispatcher.underWay} were under way at the kills`);
}

async function emitAll(tenants: readonly WebhookQueue[], events: number, acknowledged: Set<string>): Promise<void> {
  for (let turn = 0; acknowledged.size < events; turn++) {
    const tenant = tenants[turn % tenants.length] as WebhookQueue;
    const count = Math.min(EMITTED_AT_ONCE, events - acknowledged.size);
    for (const { id } of await persistently(() => tenant.emit(count))) acknowledged.add(id);
  }
}

interface Killed {
  readonly queue: WebhookQueue;
  readonly receiver: Receiver;
  readonly postgres: OwnPostgres;
  readonly deadlyId: string;
  readonly leaseMs: number;
}

/** A dispatcher in a process of its own, and three ways to kill it or what it depends on. */
class KilledDispatcher {
  readonly #t: Test;
  readonly #parts: Killed;
  #child: ChildProcess | undefined;
  /** The number of deliveries that were claimed and not finished at the kills, in total. */
  underWay = 0;

  constructor(t: Test, parts: Killed) {
    this.#t = t;
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { queue, receiver, leaseMs } = this.#parts;
    this.#child = await queue.startProcess(this.#t, {
      outboundAllow: [receiver.origin],
      attemptTimeoutMs: leaseMs - 1000,
      leaseMs,
      fullScanIntervalMs: 200,
    });
  }

  async kill(what: 'process' | 'PostgreSQL' | 'thread' | undefined): Promise<void> {
    if (what === 'process') return this.#killProcess();
    if (what === 'PostgreSQL') this.#parts.postgres.crash();
    else await this.#killThread();
    this.underWay += await this.#claimed();
  }

  async #killProcess(): Promise<void> {
    const child = this.#child as ChildProcess;
    child.kill('SIGKILL');
    await once(child, 'exit');
    this.underWay += await this.#claimed();
    await this.start();
  }

  /**
   * Ends the thread that takes the delivery. The delivery is deleted once it is claimed, because it would end another thread
   * after each lease.
   */
  async #killThread(): Promise<void> {
    const { queue, deadlyId } = this.#parts;
    const id = await persistently(() => queue.queueSingle(deadlyId, 'test'));
    const claimed = async () =>
      (await queue.pool.query('DELETE FROM webhook_deliveries WHERE id = $1 AND claim_id IS NOT NULL', [id])).rowCount === 1;
    await until(() => persistently(claimed), 'the deadly delivery to be taken', 60_000);
  }

  async #claimed(): Promise<number> {
    const count = 'SELECT count(*)::integer AS claimed FROM webhook_deliveries WHERE claim_id IS NOT NULL';
    return (await persistently(() => this.#parts.queue.pool.query(count))).rows[0].claimed;
  }
}

/** Stops and starts PostgreSQL. Each time, deliveries continue by themselves. */
export async function postgresRestarts(t: Test, restarts: number, backMsMax: number): Promise<void> {
  const postgres = await startOwnPostgres(t);
  const queue = await WebhookQueue.at(t, postgres.url);
  const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
  await queue.subscribe(receiver, '/');
  await queue.startProcess(t, { outboundAllow: [receiver.origin] });
  await queue.emit();
  await until(() => receiver.received.length === 1);
  const tookMs: number[] = [];
  for (let restart = 1; restart <= restarts; restart++) {
    await postgres.stop();
    // Long enough for every part to have noticed, and to have increased its retry backoff.
    await sleep(Math.min(restart, 4) * 1000);
    await postgres.start();
    const backAt = performance.now();
    await persistently(() => queue.emit());
    await until(() => receiver.received.length === restart + 1, `a delivery after restart ${restart}`);
    tookMs.push(Math.round(performance.now() - backAt));
  }
  t.comment(`from PostgreSQL's return to a delivery, in ms: ${tookMs.join(', ')}`);
  t.ok(Math.max(...tookMs) <= backMsMax, `after ${Math.max(...tookMs)} ms at the latest, of ${backMsMax}`);
}

/**
 * A thread hangs with a delivery: health reports it, the thread is replaced, and the next one makes the delivery. Returns how
 * long it took until health reported it, in milliseconds.
 */
export async function hungThread(t: Test, attemptTimeoutMs: number): Promise<number> {
  const queue = await WebhookQueue.create(t);
  const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
  const endpoint = await queue.subscribe(receiver, '/');
  await queue.pool.query('UPDATE webhook_endpoints SET url = $2 WHERE id = $1', [endpoint.id, `${receiver.origin}/hangs`]);
  const dispatcher = await queue.start(t, {
    outboundAllow: [receiver.origin],
    threadModule: new URL('../fixtures/hanging-deliver.worker.js', import.meta.url),
    attemptTimeoutMs,
    // Longer than the time to the report, which is measured.
    leaseMs: attemptTimeoutMs + 6000,
    fullScanIntervalMs: 200,
  });
  await queue.emit();
  dispatcher.poke();
  await until(() => dispatcher.stats().in_flight === 1);
  const hangsSince = performance.now();
  const told = await until(() => !dispatcher.health().ok && dispatcher.health());
  const tookMs = Math.round(performance.now() - hangsSince);
  t.match(told, { part: 'webhooks', reason: 'The delivery threads do not respond.' });
  await queue.pool.query('UPDATE webhook_endpoints SET url = $2 WHERE id = $1', [endpoint.id, `${receiver.origin}/`]);
  await until(() => receiver.received.length === 1, 'another thread to make the delivery', 60_000);
  t.match(await until(() => dispatcher.health().ok && dispatcher.health()), { ok: true });
  t.ok(dispatcher.stats().thread_failures >= 1);
  t.equal((await queue.endpoint(endpoint.id)).failing_since, null, 'the endpoint does not count as failing');
  return tookMs;
}

/** How an endpoint swallows what it is sent, by what it does with a connection. */
export const BLACK_HOLES: Readonly<Record<string, (socket: Socket) => void>> = {
  'takes nothing off the connection': (socket) => socket.pause(),
  'sends no head': (socket) => socket.resume(),
  'sends a body without end': (socket) => {
    socket.resume();
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    const timer = setInterval(() => socket.write('1\r\n.\r\n'), 50);
    socket.on('close', () => clearInterval(timer));
  },
};

export async function startBlackHole(t: Test, swallow: (socket: Socket) => void): Promise<{ readonly origin: string; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    swallow(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  t.teardown(close);
  return { origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`, close };
}

const HEALTHY = 19;
const EVENTS_PER_ROUND = 400;
const STEADY_EVENTS_PER_SECOND = 20;

export interface BlackHolePlan {
  readonly rounds: number;
  readonly steadySeconds: number;
  readonly throughputShareMin: number;
  readonly p99MsMax: number;
}

/**
 * Nineteen endpoints of one environment work, and nineteen of another have a black hole beside them. Both environments emit the
 * same number of events in turns, and the delivery rates of the nineteen are compared. Then the second one emits at a steady
 * rate, and the time from commit to receiver is measured.
 */
export async function blackHoledEndpoint(t: Test, swallow: (socket: Socket) => void, plan: BlackHolePlan): Promise<void> {
  const alone = await WebhookQueue.create(t);
  const beside = await alone.another();
  const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
  const hole = await startBlackHole(t, swallow);
  for (let index = 0; index < HEALTHY; index++) {
    await alone.subscribe(receiver, `/alone/${index}`);
    await beside.subscribe(receiver, `/beside/${index}`);
  }
  await beside.addEndpoint(hole.origin);
  await alone.startProcess(t, { outboundAllow: [receiver.origin, hole.origin] });

  const rates = { alone: [] as number[], beside: [] as number[] };
  const turns = Object.entries({ alone, beside }) as [keyof typeof rates, WebhookQueue][];
  for (let round = 0; round <= plan.rounds; round++) {
    for (const [name, queue] of turns) {
      const rate = await rateOf(queue, receiver);
      // In the first round code is compiled and connections are made.
      if (round > 0) rates[name].push(rate);
    }
    turns.reverse();
  }
  const rateAlone = spreadOf(rates.alone).median;
  const rateBeside = spreadOf(rates.beside).median;
  // The ratio within each round, because a machine's speed changes over minutes by more than what is measured.
  const share = spreadOf(rates.beside.map((rate, round) => rate / (rates.alone[round] as number))).median;
  t.comment(
    `${Math.round(rateAlone)} deliveries/s alone, ${Math.round(rateBeside)}/s beside it: ${(share * 100).toFixed(1)} % in the median round`,
  );
  t.ok(share >= plan.throughputShareMin, `the others keep ${(share * 100).toFixed(1)} % of their rate`);

  const waits = await steadyWaits(beside, receiver, plan.steadySeconds);
  const p99 = waits[Math.floor(waits.length * 0.99)] as number;
  t.equal(waits.length, HEALTHY * STEADY_EVENTS_PER_SECOND * plan.steadySeconds);
  t.comment(`${waits.length} deliveries at a steady rate: half within ${waits[waits.length >> 1]} ms, 99 % within ${p99} ms`);
  t.ok(p99 < plan.p99MsMax, `99 % within ${p99} ms`);
}

/** The rate of deliveries to the nineteen endpoints, per second, if `EVENTS_PER_ROUND` events are committed at once. */
async function rateOf(queue: WebhookQueue, receiver: Receiver): Promise<number> {
  const before = receiver.received.length;
  const deliveries = HEALTHY * EVENTS_PER_ROUND;
  await queue.emit(EVENTS_PER_ROUND);
  const beganAt = performance.now();
  await until(() => receiver.received.length >= before + deliveries, 'the deliveries to the other endpoints', 120_000);
  return (deliveries / (performance.now() - beganAt)) * 1000;
}

/** The times from the commit of each event to its arrival, in milliseconds, in ascending order. */
async function steadyWaits(queue: WebhookQueue, receiver: Receiver, seconds: number): Promise<readonly number[]> {
  const from = receiver.received.length;
  const committedAt = new Map<string, number>();
  const events = STEADY_EVENTS_PER_SECOND * seconds;
  const beganAt = performance.now();
  for (let index = 0; index < events; index++) {
    await sleep(Math.max(0, beganAt + (index * 1000) / STEADY_EVENTS_PER_SECOND - performance.now()));
    const [event] = await queue.emit();
    committedAt.set(event?.id ?? '', Date.now());
    await queue.notify();
  }
  await until(() => receiver.received.length >= from + HEALTHY * events, 'the deliveries to the other endpoints', 60_000);
  return receiver.received
    .slice(from)
    .map(({ event, atMs }) => Math.max(0, atMs - (committedAt.get(event.id) ?? 0)))
    .sort((a, b) => a - b);
}
