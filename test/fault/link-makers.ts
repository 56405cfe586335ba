import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import type { TestProject } from '../support/control-plane.js';
import type { TestEngine } from '../support/engine.js';
import { type CreatedLink, type Stack, untilReplicated } from '../support/stack.js';
import { until } from '../support/until.js';
import { createVisitor } from '../support/visitor.js';
import type { Receiver } from '../support/webhook-receiver.js';
import { sleep } from './scenarios.js';

/** Clients that make links while parts of the service are lost, and the checks that their links must pass afterwards. */

const MAKERS = 4;
/** The pauses between two links of one client, and before a refused call is sent again. */
const REST_MS = 5;
const AGAIN_MS = 200;

/** Settings with short retry delays, so that an attempt that dies with its host does not cost a minute. */
export function settingsFor({ origin }: Pick<Receiver, 'origin'>): Readonly<Record<string, string>> {
  return { OUTBOUND_ALLOW: origin, WEBHOOK_RETRY_DELAYS: '1,1,1,1,1,1,1' };
}

/** Subscribes the receiver to the events of new links. */
export async function subscribe({ controlPlane, project }: Stack, receiver: Receiver): Promise<void> {
  const { status, body } = await controlPlane.call<{ secret: string }>(project, 'POST', '/webhooks', {
    url: `${receiver.origin}/hook`,
    events: ['link.created'],
  });
  if (status !== 201) throw new Error(`the endpoint was not made: ${status} ${JSON.stringify(body)}`);
  receiver.trust(body.secret);
}

interface MadeLink extends CreatedLink {
  /** When the answer 201 arrived. */
  readonly atMs: number;
}

export interface Made {
  readonly links: readonly MadeLink[];
  /** Answers that are neither 201 nor permit a retry. */
  readonly wrong: readonly string[];
  /** Calls whose connection broke, or that a proxy answered instead of a control plane that had died. */
  readonly broken: number;
  readonly longestMs: number;
}

/** Makes links until it is stopped. A call that is not answered with 201 is repeated with the same idempotency key. */
export function startMakers(baseUrl: string, project: TestProject): { stop(): Promise<Made> } {
  const links: MadeLink[] = [];
  const wrong: string[] = [];
  let [broken, longestMs, stopped] = [0, 0, false];
  const call = async (key: string): Promise<boolean> => {
    const beganAt = performance.now();
    const response = await fetch(`${baseUrl}/links`, {
      method: 'POST',
      headers: { authorization: `Bearer ${project.secretKey}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ destinations: { web: `https://destination.example/${key}` } }),
    }).catch(() => null);
    const text = await response?.text().catch(() => null);
    longestMs = Math.max(longestMs, performance.now() - beganAt);
    if (response === null || typeof text !== 'string' || !/json/.test(response.headers.get('content-type') ?? '')) broken++;
    else if (response.status === 201) links.push({ ...(JSON.parse(text) as CreatedLink), atMs: performance.now() });
    else if (response.status === 502) broken++;
    // 409: the previous call is still under way.
    else if (response.status !== 503 && response.status !== 409) wrong.push(`${response.status} ${text}`);
    return response?.status === 201;
  };
  const loops = Array.from({ length: MAKERS }, async () => {
    let key = randomUUID();
    while (!stopped) {
      const made = await call(key);
      if (made) key = randomUUID();
      await sleep(made ? REST_MS : AGAIN_MS);
    }
  });
  return {
    async stop() {
      stopped = true;
      await Promise.all(loops);
      return { links, wrong, broken, longestMs };
    },
  };
}

/** The wrong answers, each with the log lines of its request. */
export function withLog({ controlPlane }: Pick<Stack, 'controlPlane'>, wrong: readonly string[]): readonly string[] {
  const lines = wrong.length === 0 ? [] : controlPlane.output().split('\n');
  return wrong.map((answer) => {
    const request = /urn:request:([\w-]+)/.exec(answer)?.[1];
    return [answer, ...(request === undefined ? [] : lines.filter((line) => line.includes(request)))].join('\n');
  });
}

/** A span of time in which acknowledged links may have been lost. */
export interface HeldUp {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface LinkCheck {
  readonly receiver: Receiver;
  readonly made: Made;
  readonly engines: readonly TestEngine[];
  readonly heldUp: readonly HeldUp[];
}

/** Checks that every acknowledged link exists unless it was made in one of the spans, that it redirects, and that its event arrives. */
export async function checkLinks(t: Test, stack: Stack, { receiver, made, engines, heldUp }: LinkCheck): Promise<void> {
  t.ok(made.links.length > 100, 'more than a hundred links were made');
  const rows = await stack.rows<{ id: string }>('SELECT id FROM links WHERE deleted_at IS NULL');
  const kept = new Set(rows.map(({ id }) => id));
  const lost = made.links.filter(({ id }) => !kept.has(id));
  t.comment(
    `${made.links.length} links were acknowledged, ${lost.length} of them are lost; the longest call took ${Math.round(made.longestMs)} ms`,
  );
  if (heldUp.length > 0) t.ok(lost.length > 0, 'asynchronous commits lost a link');
  const unexplained = lost.filter(({ atMs }) => !heldUp.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs));
  t.same(unexplained, [], 'only links that were acknowledged while the standby was held up are lost');
  await untilReplicated(stack);
  for (const engine of engines) {
    const visitor = createVisitor(engine.port, stack.project.linkHost);
    const answers = { kept: new Set<number>(), lost: new Set<number>() };
    for (const { id, path } of made.links) answers[kept.has(id) ? 'kept' : 'lost'].add((await visitor.visit(`/${path}`)).status);
    visitor.close();
    const expected = { kept: new Set([302]), lost: new Set(lost.length > 0 ? [404] : []) };
    t.same(answers, expected, 'links that were kept redirect, and lost ones do not');
  }
  const untold = () => {
    const told = new Set(receiver.received.map(({ event }) => (event.data as { id: string }).id));
    return made.links.filter(({ id }) => kept.has(id) && !told.has(id)).map(({ id }) => id);
  };
  await until(() => untold().length === 0, 'an event of every link that was kept', 120_000).catch(async (error: Error) => {
    throw new Error(`${error.message}\n${await deliveriesOf(stack, untold())}`);
  });
}

const SHOWN_MAX = 3;

/** The deliveries of some of the links, to find out why they did not arrive. */
async function deliveriesOf(stack: Stack, ids: readonly string[]): Promise<string> {
  const shown = ids.slice(0, SHOWN_MAX).map((id) => `'${id}'`);
  const rows = await stack.rows<object>(
    `SELECT event.body::json -> 'data' ->> 'id' AS link, delivery.*, endpoint.status AS endpoint_status, now() AS now
     FROM events AS event
     LEFT JOIN webhook_deliveries AS delivery ON delivery.event_id = event.id
     LEFT JOIN webhook_endpoints AS endpoint ON endpoint.id = delivery.webhook_id
     WHERE event.body::json -> 'data' ->> 'id' IN (${['NULL', ...shown].join(', ')}) ORDER BY 1, delivery.id`,
  );
  const { processes } = await stack.engine.health();
  const figures = (await stack.engine.metrics()).match(/^\w*webhook\w*(?:\{.*\})? .*$/gm) ?? [];
  return [`${ids.length} did not arrive, such as`, ...rows.map((row) => JSON.stringify(row)), JSON.stringify(processes), ...figures].join(
    '\n',
  );
}
