import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import { migrate } from '../../control-plane/db/migrate.js';
import { Ledger } from '../support/ledger.js';
import { startPgBouncer } from '../support/pgbouncer.js';
import { type Loss, type PostgresPair, startPostgresPair } from '../support/postgres-pair.js';
import { type CreatedLink, createCountedLink, type Stack, startStack, untilReplicated } from '../support/stack.js';
import { until } from '../support/until.js';
import { createVisitor } from '../support/visitor.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';
import { checkCounts, load, sleep } from './scenarios.js';

export interface Failovers {
  /** How the primary is lost, one time after the other. */
  readonly losses: readonly Loss[];
  /** Commits wait for the standby. Otherwise the standby is held up before each loss, so that something is lost. */
  readonly synchronous: boolean;
}

/** Between two losses, with both servers there. */
const CALM_MS = 2_000;
/** For how long the standby is held up: commits of that time are on the primary alone. */
const HELD_UP_MS = 1_000;
/** A primary that dies with its host is missed after 20 s; until then calls are refused, and none may hang. */
const CALL_MS_MAX = 30_000;
const MAKERS = 4;

/**
 * Promise of deploy/failover.md. PostgreSQL is a pair of Patroni behind HAProxy and PgBouncer, of which the primary is lost
 * again and again under load: redirects never fail, every click is in the log once, every call is answered with 201 or 503,
 * every link that was acknowledged and kept redirects, and its event is delivered. Where commits wait for the standby no
 * acknowledged link is lost; where they do not, those are that were made while the standby was held up, and they redirect
 * no more.
 */
export async function failovers(t: Test, { losses, synchronous }: Failovers): Promise<void> {
  const pair = await startPostgresPair(t, { synchronous });
  await migrate(pair.url);
  const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
  const stack = await startStack(t, {
    databaseUrl: pair.url,
    environment: { DATABASE_POOL_URL: await startPgBouncer(t, pair.url), OUTBOUND_ALLOW: receiver.origin },
  });
  await subscribe(stack, receiver);
  const link = await createCountedLink(stack);
  await untilReplicated(stack);
  await pair.whole();
  const ledger = new Ledger();
  const client = load(stack, link, { ledger, restMs: 2 });
  const makers = startMakers(stack);
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
  t.same(made.wrong, [], 'every call is answered with 201 or 503');
  t.ok(made.longestMs < CALL_MS_MAX, `the longest call took ${Math.round(made.longestMs)} ms`);
  await checkCounts(t, stack, ledger);
  await checkLinks(t, { stack, receiver, made, heldUp: synchronous ? [] : heldUp });
}

interface HeldUp {
  readonly fromMs: number;
  readonly toMs: number;
}

async function lose(t: Test, pair: PostgresPair, loss: Loss, synchronous: boolean): Promise<HeldUp> {
  const fromMs = performance.now();
  // A switchover waits for the standby: nothing can be lost.
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

async function subscribe({ controlPlane, project }: Stack, receiver: Receiver): Promise<void> {
  const { status, body } = await controlPlane.call<{ secret: string }>(project, 'POST', '/webhooks', {
    url: `${receiver.origin}/hook`,
    events: ['link.created'],
  });
  if (status !== 201) throw new Error(`the endpoint was not made: ${status} ${JSON.stringify(body)}`);
  receiver.trust(body.secret);
}

interface MadeLink extends CreatedLink {
  /** When its 201 came. */
  readonly atMs: number;
}

interface Made {
  readonly links: readonly MadeLink[];
  readonly wrong: readonly string[];
  readonly longestMs: number;
}

/** Make links until they are stopped; a call that is refused is sent again with the same key. */
function startMakers({ controlPlane, project }: Stack): { stop(): Promise<Made> } {
  const links: MadeLink[] = [];
  const wrong: string[] = [];
  let longestMs = 0;
  let stopped = false;
  const call = async (key: string): Promise<{ readonly status: number; readonly body: CreatedLink }> => {
    const beganAt = performance.now();
    const response = await fetch(`${controlPlane.baseUrl}/links`, {
      method: 'POST',
      headers: { authorization: `Bearer ${project.secretKey}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ destinations: { web: `https://destination.example/${key}` } }),
    });
    const body = (await response.json()) as CreatedLink;
    longestMs = Math.max(longestMs, performance.now() - beganAt);
    return { status: response.status, body };
  };
  const loops = Array.from({ length: MAKERS }, async () => {
    let key = randomUUID();
    while (!stopped) {
      const { status, body } = await call(key);
      if (status === 201) links.push({ id: body.id, path: body.path, url: body.url, atMs: performance.now() });
      // 409: the call before is still under way.
      else if (status !== 503 && status !== 409) wrong.push(`${status} ${JSON.stringify(body)}`);
      if (status === 201) key = randomUUID();
      await sleep(status === 201 ? 5 : 200);
    }
  });
  return {
    async stop() {
      stopped = true;
      await Promise.all(loops);
      return { links, wrong, longestMs };
    },
  };
}

interface LinkCheck {
  readonly stack: Stack;
  readonly receiver: Receiver;
  readonly made: Made;
  /** When links may have been acknowledged that are lost. */
  readonly heldUp: readonly HeldUp[];
}

async function checkLinks(t: Test, { stack, receiver, made, heldUp }: LinkCheck): Promise<void> {
  t.ok(made.links.length > 100, 'links were made');
  const rows = await stack.rows<{ id: string }>('SELECT id FROM links WHERE deleted_at IS NULL');
  const kept = new Set(rows.map(({ id }) => id));
  const lost = made.links.filter(({ id }) => !kept.has(id));
  t.comment(
    `${made.links.length} links were acknowledged, ${lost.length} of them are lost; the longest call took ${Math.round(made.longestMs)} ms`,
  );
  if (heldUp.length > 0) t.ok(lost.length > 0, 'something was lost, where commits do not wait');
  const unexplained = lost.filter(({ atMs }) => !heldUp.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs));
  t.same(unexplained, [], 'nothing is lost but what was acknowledged while the standby was held up');
  await untilReplicated(stack);
  const visitor = createVisitor(stack.engine.port, stack.project.linkHost);
  const statuses = new Map<number, number>();
  for (const { id, path } of made.links) {
    const { status } = await visitor.visit(`/${path}`);
    const is = kept.has(id) ? status : status + 1000;
    statuses.set(is, (statuses.get(is) ?? 0) + 1);
  }
  visitor.close();
  const expected = new Map([[302, made.links.length - lost.length], ...(lost.length > 0 ? [[1404, lost.length] as const] : [])]);
  t.same(new Map([...statuses].sort()), expected, 'what is kept redirects, and what is lost does not');
  const told = () => new Set(receiver.received.map(({ event }) => (event.data as { id: string }).id));
  await until(() => made.links.every(({ id }) => !kept.has(id) || told().has(id)), 'an event of every link that is kept', 120_000);
}
