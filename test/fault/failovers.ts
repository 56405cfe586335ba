import type { Test } from 'tap';
import { migrate } from '../../control-plane/db/migrate.js';
import { Ledger } from '../support/ledger.js';
import { startPgBouncer } from '../support/pgbouncer.js';
import { type Loss, type PostgresPair, startPostgresPair } from '../support/postgres-pair.js';
import { createCountedLink, startStack, untilReplicated } from '../support/stack.js';
import { startReceiver } from '../support/webhook-receiver.js';
import { checkLinks, type HeldUp, settingsFor, startMakers, subscribe, withLog } from './link-makers.js';
import { checkCounts, load, sleep } from './scenarios.js';

export interface Failovers {
  /** How the primary is lost, in this order. */
  readonly losses: readonly Loss[];
  /** Whether commits wait for the standby. If not, the standby is held up before each loss, so that something is lost. */
  readonly synchronous: boolean;
}

/** The pause between two losses, with both servers running. */
const CALM_MS = 2_000;
/** How long the standby is held up. Commits of that time are on the primary alone. */
const HELD_UP_MS = 1_000;
/** The loss of a primary that dies with its host is noticed after 20 s. Until then calls are refused, and none may hang. */
const CALL_MS_MAX = 30_000;

/**
 * The promise of deploy/failover.md. PostgreSQL is a pair of Patroni behind HAProxy and PgBouncer, which loses its primary again
 * and again under load: redirects never fail, every click is in the log once, every call is answered with 201 or 503, every link
 * that was acknowledged and kept redirects, and its event is delivered. If commits wait for the standby, no acknowledged link is
 * lost. If they do not, only links made while the standby was held up are lost, and those no longer redirect.
 */
export async function failovers(t: Test, { losses, synchronous }: Failovers): Promise<void> {
  const pair = await startPostgresPair(t, { synchronous });
  await migrate(pair.url);
  const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
  const stack = await startStack(t, {
    databaseUrl: pair.url,
    environment: { DATABASE_POOL_URL: (await startPgBouncer(t, pair.url)).url, ...settingsFor(receiver) },
  });
  await subscribe(stack, receiver);
  const link = await createCountedLink(stack);
  await untilReplicated(stack);
  await pair.whole();
  const ledger = new Ledger();
  const client = load(stack, link, { ledger, restMs: 2 });
  const makers = startMakers(stack.controlPlane.baseUrl, stack.project);
  t.teardown(() => Promise.all([client.stop(), makers.stop()]));
  const heldUp: HeldUp[] = [];
  for (const loss of losses) {
    await sleep(CALM_MS);
    heldUp.push(await lose(t, pair, loss, synchronous));
  }
  await sleep(CALM_MS);
  const made = await makers.stop();
  await client.stop();
  await stack.engine.whenReady();
  t.same([ledger.refused, ledger.inDoubt, ledger.wrong], [0, 0, []], 'no redirect failed');
  t.same([withLog(stack, made.wrong), made.broken], [[], 0], 'every call is answered with 201, 409 or 503');
  t.ok(made.longestMs < CALL_MS_MAX, `the longest call took ${Math.round(made.longestMs)} ms`);
  await checkCounts(t, stack, ledger);
  await checkLinks(t, stack, { receiver, made, engines: [stack.engine], heldUp: synchronous ? [] : heldUp });
}

async function lose(t: Test, pair: PostgresPair, loss: Loss, synchronous: boolean): Promise<HeldUp> {
  const fromMs = performance.now();
  // A switchover waits for the standby, so that nothing can be lost.
  if (!synchronous && loss !== 'switchover') {
    await pair.holdUpStandby();
    await sleep(HELD_UP_MS);
  }
  const lostMs = performance.now();
  await pair.failOver(loss);
  const toMs = performance.now();
  await pair.whole();
  const wholeMs = performance.now() - toMs;
  t.comment(`${loss}: another primary after ${Math.round(toMs - lostMs)} ms, its standby ${Math.round(wholeMs)} ms later`);
  return { fromMs, toMs };
}
