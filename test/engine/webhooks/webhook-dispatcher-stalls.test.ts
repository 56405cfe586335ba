import t from 'tap';
import { CAP_FIRST } from '../../../engine/webhooks/endpoint-slots.js';
import { BLACK_HOLES, startBlackHole } from '../../fault/webhook-scenarios.js';
import { until } from '../../support/until.js';
import { WebhookQueue } from '../../support/webhook-queue.js';
import { startReceiver } from '../../support/webhook-receiver.js';

const HEALTHY = 19;
const EVENTS = 40;
/** The real limit. On a busy machine the other deliveries need seconds; if a stalled one held them up, they would need this long. */
const ATTEMPT_MS = 10_000;

t.test('endpoints that accept deliveries and never answer delay none of nineteen other endpoints', async (t) => {
  const queue = await WebhookQueue.create(t);
  const good = await startReceiver(t, (response) => response.writeHead(200).end());
  const bad = await Promise.all(Object.values(BLACK_HOLES).map((swallow) => startBlackHole(t, swallow)));
  for (let index = 0; index < HEALTHY; index++) await queue.subscribe(good, `/${index}`);
  const stalled = await Promise.all(bad.map(({ origin }) => queue.addEndpoint(origin)));
  const dispatcher = await queue.start(t, {
    outboundAllow: [good.origin, ...bad.map(({ origin }) => origin)],
    attemptTimeoutMs: ATTEMPT_MS,
  });
  await until(() => dispatcher.health().ok);
  await queue.emit(EVENTS);
  const emittedAt = Date.now();
  dispatcher.poke();
  await until(() => good.received.length === HEALTHY * EVENTS);
  const waits = good.received.map(({ atMs }) => atMs - emittedAt).sort((a, b) => a - b);
  t.comment(`${waits.length} deliveries to the others, 99 % of them within ${waits[Math.floor(waits.length * 0.99)]} ms`);
  const held = await Promise.all(stalled.map(({ id }) => queue.deliveries(id)));
  for (const rows of held) {
    t.ok(
      rows.every(({ status }) => status === 'pending'),
      'the others have received everything before the first attempt at a bad endpoint is given up',
    );
    const slots = rows.filter(({ claim_id }) => claim_id !== null).length;
    t.ok(slots > 0 && slots <= CAP_FIRST, `it holds ${slots} slots, no more than a new endpoint has`);
  }
  for (const { close } of bad) close();
  // Deliveries that waited for a slot are refused a connection. Those under way have lost theirs.
  const underWay = held.flat().flatMap(({ id, claim_id }) => (claim_id === null ? [] : [id]));
  const ended = await until(async () => {
    const rows = (await Promise.all(stalled.map(({ id }) => queue.deliveries(id)))).flat().filter(({ id }) => underWay.includes(id));
    return rows.every(({ status }) => status === 'retrying') && rows;
  }, 'the deliveries under way to be given up');
  t.same(
    ended.map(({ error }) => error),
    underWay.map(() => 'connection_lost'),
  );
});
