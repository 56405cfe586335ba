import type { Test } from 'tap';
import { spreadOf } from '../../bench/load/statistics.js';
import { startCustomerApi } from '../support/customer-api.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { FarLine } from '../support/far-line.js';
import { Ledger } from '../support/ledger.js';
import { askCard, makePreviewedType } from '../support/preview-bots.js';
import {
  type CreatedLink,
  createCountedLink,
  type Stack,
  startOwnPostgres,
  startStack,
  untilReplicated,
  waitForClicks,
} from '../support/stack.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { createVisitor } from '../support/visitor.js';
import { checkCounts, load, sleep } from './scenarios.js';

export interface FarRegion {
  readonly links: number;
  readonly items: number;
  /** The least number of clicks that wait when the line is open again. */
  readonly clicks: number;
  /** The least rate at which they must be stored; null if only their number is checked. */
  readonly clicksPerSecondMin: number | null;
}

const LINE = { roundTripMs: 150, lossShare: 0.01 };

/**
 * Two engine hosts at a long distance from PostgreSQL and the control plane: a link works at its first visit, a card that one
 * host has fetched is shown by the other, and clicks are shipped as fast as they come.
 */
export async function farRegion(t: Test, { links, items, clicks, clicksPerSecondMin }: FarRegion): Promise<void> {
  const postgres = await startOwnPostgres(t);
  const url = new URL(postgres.url);
  const line = await FarLine.to(t, { host: url.hostname, port: Number(url.port) }, LINE);
  url.port = String(line.port);
  const api = await startCustomerApi(t, (path, response) => response.end(JSON.stringify({ name: path.slice(1) })));
  const environment = { OUTBOUND_ALLOW: api.origin };
  const stack = await startStack(t, { databaseUrl: postgres.url, engineDatabaseUrl: url.href, environment });
  const other = await startEngine({ ...stack.engineOptions, dataDir: temporaryFolder(t) });
  t.teardown(() => other.stop());
  await other.whenReady();

  await firstVisits(t, stack, [stack.engine, other], links);
  await sharedCards(t, stack, other, { items, origin: api.origin, calls: () => api.calls.length });
  await shipped(t, stack, line, { links, clicks, clicksPerSecondMin });
}

async function firstVisits(t: Test, { controlPlane, project }: Stack, engines: readonly TestEngine[], links: number): Promise<void> {
  const visitors = engines.map(({ port }) => createVisitor(port, project.linkHost));
  const times: number[] = [];
  const statuses = new Set<number>();
  for (let link = 0; link < links; link++) {
    const { body } = await controlPlane.call<CreatedLink>(project, 'POST', '/links', {
      destinations: { web: 'https://destination.example/' },
    });
    await Promise.all(
      visitors.map(async (visitor) => {
        const beganAt = performance.now();
        // A visit by a program, which the ledger of clicks below does not count.
        statuses.add((await visitor.visit(`/${body.path}`, 'curl/8')).status);
        times.push(performance.now() - beganAt);
      }),
    );
  }
  for (const visitor of visitors) visitor.close();
  t.same([...statuses], [302], 'each new link works at its first visit on each host');
  const { median } = spreadOf(times);
  t.comment(`first visits of ${links} new links: ${Math.round(median)} ms in the median, ${Math.round(Math.max(...times))} ms at most`);
}

interface Cards {
  readonly items: number;
  readonly origin: string;
  readonly calls: () => number;
}

async function sharedCards(t: Test, stack: Stack, other: TestEngine, { items, origin, calls }: Cards): Promise<void> {
  await makePreviewedType(stack, 'stock', { url_template: `${origin}/{id}`, field_mapping: { title: 'name' }, timeout_ms: 5000 });
  const there = { ...stack, engine: other };
  const titleOf = async (at: Stack, item: string) => (await askCard(at, `/stock/${item}`)).title;
  for (const at of [stack, there]) await until(async () => (await titleOf(at, 'warm')) === 'warm', 'the first card of each host');
  const before = calls();
  for (let item = 0; item < items; item++) t.equal(await titleOf(stack, `item-${item}`), `item-${item}`);
  const called = calls() - before;
  t.equal(called, items, 'the API is called once for each item');
  // An answer is written to the database after its card was sent.
  await until(
    async () => (await stack.rows('SELECT 1 FROM metadata_answers WHERE item_id LIKE $1', ['item-%'])).length === items,
    'the stored answers of the API',
  );
  for (let item = 0; item < items; item++) t.equal(await titleOf(there, `item-${item}`), `item-${item}`);
  t.equal(calls() - before, called, 'the other host shows the stored answers without a call');
}

/** Clicks wait in the spool while the line is cut, and are stored after it is open again, while visits go on. */
async function shipped(
  t: Test,
  stack: Stack,
  line: FarLine,
  { links, clicks, clicksPerSecondMin }: Omit<FarRegion, 'items'>,
): Promise<void> {
  const link = await createCountedLink(stack);
  await untilReplicated(stack);
  // The ledger does not count the clicks of the first visits on both hosts.
  await waitForClicks(stack, 2 * links);
  await stack.rows('DELETE FROM clicks');
  line.cut();
  const ledger = new Ledger();
  const client = load(stack, link, { ledger, connections: 32, restMs: 0 });
  while (ledger.answered < clicks) await sleep(100);
  await client.stop();
  const stored = async () => (await stack.rows<{ count: number }>('SELECT count(*)::integer AS count FROM clicks'))[0]?.count ?? 0;
  const atFirst = await stored();
  const waiting = ledger.answered;
  line.isOpen = true;
  // Few, so that the rate is that of the clicks that waited.
  const visits = load(stack, link, { ledger, connections: 1, restMs: 20 });
  const first = await until(async () => {
    const count = await stored();
    return count > atFirst && { count, atMs: performance.now() };
  }, 'the first clicks');
  await until(async () => (await stored()) >= waiting, 'all clicks that waited', 300_000);
  const perSecond = ((waiting - first.count) / (performance.now() - first.atMs)) * 1000;
  await visits.stop();
  t.ok(ledger.answered > waiting, `${ledger.answered - waiting} visits were answered while the clicks that waited were stored`);
  t.same([ledger.refused, ledger.inDoubt], [0, 0], 'no redirect failed');
  t.comment(`${waiting - first.count} clicks were stored at ${Math.round(perSecond)} a second`);
  if (clicksPerSecondMin !== null) t.ok(perSecond > clicksPerSecondMin, `${Math.round(perSecond)} clicks a second`);
  await checkCounts(t, stack, ledger);
}
