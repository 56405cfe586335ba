import { setTimeout } from 'node:timers/promises';
import type { Test } from 'tap';
import { until } from '../../support/until.js';
import { WebhookQueue } from '../../support/webhook-queue.js';
import { startReceiver } from '../../support/webhook-receiver.js';

/** The differences between the clocks of three hosts and that of the database, in milliseconds. */
export type ClockShifts = readonly [number, number, number];

const EVENTS = 60;
const EVENTS_AT_ONCE = 10;
const FAILING_EVENTS = 20;
/** A delivery is under way long enough for another host to look at the queue meanwhile. */
const ANSWER_MS = 500;

/** Delays in milliseconds. */
export interface Delays {
  /** The longest time from an event's commit to its first attempt. */
  readonly first: number;
  /** The time from the commit of the failing events until the second attempts of all of them have succeeded. */
  readonly second: number;
}

/** Three hosts with the given clock shifts deliver from one queue, and send each delivery once. */
export async function deliverWithClocks(t: Test, shifts: ClockShifts): Promise<Delays> {
  const queue = await WebhookQueue.create(t);
  const emittedAt = new Map<string, number>();
  const delays: number[] = [];
  const attempts = new Map<string, number>();
  const receiver = await startReceiver(t, async (response, { event, path }) => {
    const attempt = (attempts.get(event.id) ?? 0) + 1;
    attempts.set(event.id, attempt);
    if (attempt === 1) delays.push(performance.now() - (emittedAt.get(event.id) ?? 0));
    await setTimeout(ANSWER_MS);
    response.writeHead(path === '/fails' && attempt === 1 ? 500 : 200).end();
  });
  const endpoint = await queue.subscribe(receiver, '/');
  for (const shift of shifts)
    await queue.startProcess(t, { outboundAllow: [receiver.origin], fullScanIntervalMs: 200, pollMs: 100 }, shift);
  for (let sent = 0; sent < EVENTS; sent += EVENTS_AT_ONCE) {
    const beganAt = performance.now();
    for (const { id } of await queue.emit(EVENTS_AT_ONCE)) emittedAt.set(id, beganAt);
    await setTimeout(200);
  }
  await until(async () => (await queue.deliveries(endpoint.id)).filter(({ status }) => status === 'succeeded').length === EVENTS);
  const ids = receiver.received.map(({ headers }) => headers['x-service-delivery']);
  t.equal(ids.length, new Set(ids).size, 'no delivery was sent twice');
  t.equal(ids.length, EVENTS);
  const first = Math.max(...delays);

  // The wait before the next attempt is the same whichever host makes the first attempt and whichever makes the second.
  await queue.pool.query('DELETE FROM webhook_endpoints WHERE id = $1', [endpoint.id]);
  const failing = await queue.subscribe(receiver, '/fails');
  const beganAt = performance.now();
  await queue.emit(FAILING_EVENTS);
  await until(async () => (await queue.deliveries(failing.id)).filter(({ status }) => status === 'succeeded').length === FAILING_EVENTS);
  const second = performance.now() - beganAt;
  t.same((await queue.deliveries(failing.id)).map(({ attempt, status }) => `${attempt} ${status}`).toSorted(), [
    ...Array(FAILING_EVENTS).fill('1 retrying'),
    ...Array(FAILING_EVENTS).fill('2 succeeded'),
  ]);
  return { first, second };
}
