import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import type { Test } from 'tap';
import { connect, makeEnvironment } from '../support/click-log.js';
import { createDatabase } from '../support/database.js';
import { clicksOf, fileSource, LINK_SOURCES, type LinkSource, pathOf, webOf } from '../support/link-sources.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { startProcess, type WholeProcess } from '../support/whole-process.js';

/** Links that are disabled at their source. */
const DISABLED = fileSource(
  'csv',
  'path,web,status,clicks',
  (number) => `${pathOf(number)},${webOf(number)},disabled,${clicksOf(number)}`,
  true,
);

/** The number of links in one transaction of an import. */
const BATCH = 1000;

/** Imports as an operator runs them, into an environment of their own. */
class ImportRuns {
  readonly client: pg.Client;
  readonly databaseUrl: string;
  readonly environmentId: string;
  readonly report: string;
  readonly #start: (more: readonly string[]) => WholeProcess;

  constructor(
    place: Pick<ImportRuns, 'client' | 'databaseUrl' | 'environmentId' | 'report'>,
    start: (more: readonly string[]) => WholeProcess,
  ) {
    this.client = place.client;
    this.databaseUrl = place.databaseUrl;
    this.environmentId = place.environmentId;
    this.report = place.report;
    this.#start = start;
  }

  async made(): Promise<number> {
    const { rows } = await this.client.query<{ made: number }>(
      'SELECT count(*)::integer AS made FROM links WHERE environment_id = $1 AND state = $2',
      [this.environmentId, 'active'],
    );
    return rows[0]?.made ?? 0;
  }

  start(...more: readonly string[]): WholeProcess {
    return this.#start(more);
  }

  /** Runs an import to its end. Returns its counts and how long it took. */
  async finish(...more: readonly string[]): Promise<{ readonly counts: Readonly<Record<string, number>>; readonly seconds: number }> {
    const beganAt = performance.now();
    const started = this.#start(more);
    const { code } = await started.ended();
    const output = started.output();
    if (code !== 0) throw new Error(`the import ended with ${code}: ${output}`);
    return { counts: JSON.parse(output.slice(output.lastIndexOf('\n{') + 1)), seconds: (performance.now() - beganAt) / 1000 };
  }
}

async function importRuns(t: Test, source: LinkSource, links: number): Promise<ImportRuns> {
  const own = await createDatabase();
  const client = await connect(own.url);
  t.teardown(async () => {
    await client.end();
    await own.drop();
  });
  const folder = temporaryFolder(t);
  const { id } = await makeEnvironment(client);
  const options = await source.prepare(t, links, folder);
  const report = join(folder, 'report.ndjson');
  const words = ['--json', 'import', source.name, '--env', id, '--report', report, ...options];
  let runs = 0;
  const start = (more: readonly string[]) =>
    startProcess('deploy/command-line/linkd.js', { DATABASE_URL: own.url }, join(folder, `run-${++runs}.txt`), {
      parameters: [...words, ...more],
    });
  return new ImportRuns({ client, databaseUrl: own.url, environmentId: id, report }, start);
}

/** Checks that each link of the source exists once, leads where it led, has its earlier clicks once, and had one event. */
async function judge(t: Test, source: LinkSource, { client, environmentId }: ImportRuns, links: number): Promise<void> {
  const { rows } = await client.query<{ path: string; web: string; clicks: number | null; sources: number }>(
    `SELECT path, destinations ->> 'web' AS web, sum(clicks)::integer AS clicks, count(clicks)::integer AS sources
     FROM links LEFT JOIN imported_clicks ON link_id = links.id WHERE environment_id = $1 GROUP BY links.id`,
    [environmentId],
  );
  const found = new Map(rows.map((row) => [row.path, row]));
  t.equal(rows.length, links, 'there are as many links as in the source');
  let missing = 0;
  let different = 0;
  for (let number = 0; number < links; number++) {
    const row = found.get(pathOf(number));
    if (row === undefined) missing++;
    else if (
      row.web !== webOf(number) ||
      row.sources !== (source.tellsClicks ? 1 : 0) ||
      (row.clicks ?? clicksOf(number)) !== clicksOf(number)
    )
      different++;
  }
  t.equal(missing, 0, 'no link is missing');
  t.equal(different, 0, 'each link has its destination and its earlier clicks');
  const events = await client.query<{ told: number }>(
    `SELECT count(*)::integer AS told FROM events WHERE environment_id = $1 AND type = 'link.created'`,
    [environmentId],
  );
  t.equal(events.rows[0]?.told, links, 'each link has one event');
}

/** The number of connections of the import that wait for a lock. */
async function waiting(client: pg.Client): Promise<number> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'linkd' AND wait_event_type = 'Lock'`,
  );
  return rowCount ?? 0;
}

/**
 * Kills an import while PostgreSQL works on its second batch, then resumes and repeats it. Another transaction holds a path of
 * that batch, so that the moment is certain however fast the machine is.
 */
export async function killedInSecondBatch(t: Test, source: LinkSource, links: number): Promise<void> {
  const runs = await importRuns(t, source, links);
  const { client, databaseUrl, environmentId } = runs;
  const blocker = await connect(databaseUrl);
  let made = 0;
  try {
    await blocker.query('BEGIN');
    await blocker.query(
      `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at) VALUES ('lnk_blocker', $1, $2, '/', now(), now())`,
      [environmentId, pathOf(BATCH + 1)],
    );
    const killed = runs.start();
    await until(async () => {
      // If both batches create the same tags, the second one may lock them first, so that the first one waits for it.
      const held = await waiting(client);
      return held === 2 || (held === 1 && (await runs.made()) === BATCH);
    }, 'the import to wait within its second batch');
    await killed.kill();
    made = await runs.made();
    await blocker.query('ROLLBACK');
  } finally {
    await blocker.end();
  }
  const { counts } = await runs.finish('--resume');
  t.match(counts, { failed: 0, aliased: 0 });
  t.equal(Number(counts.created) + Number(counts.exists), links, 'the resumed import counts the links of both runs');
  t.ok(Number(counts.exists) <= made, 'the resumed import finds only links that the killed run made');
  await judge(t, source, runs, links);
  t.match((await runs.finish()).counts, { created: 0, aliased: 0, exists: links, failed: 0 }, 'another run finds all links and makes none');
  await judge(t, source, runs, links);
}

/**
 * Kills an import of disabled links after the links are made and before their earlier clicks are stored, because another
 * transaction locks the table of those clicks. No visitor ever finds one of the links enabled, and the resumed run stores the
 * clicks.
 */
export async function killedBeforeClicks(t: Test): Promise<void> {
  const links = 3;
  const runs = await importRuns(t, DISABLED, links);
  const { client, databaseUrl, environmentId } = runs;
  const states = async () =>
    (await client.query<{ state: string }>('SELECT state FROM links WHERE environment_id = $1', [environmentId])).rows.map(
      ({ state }) => state,
    );
  const off = Array.from({ length: links }, () => 'disabled');
  const blocker = await connect(databaseUrl);
  try {
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE imported_clicks IN EXCLUSIVE MODE');
    const killed = runs.start();
    await until(async () => (await waiting(client)) === 1, 'the import to wait for the table of earlier clicks');
    await killed.kill();
    t.same(await states(), off, 'the links are disabled from their creation on');
    await blocker.query('ROLLBACK');
  } finally {
    await blocker.end();
  }
  const events = await client.query<{ status: string }>(
    `SELECT body::jsonb #>> '{data,status}' AS status FROM events WHERE environment_id = $1 AND type = 'link.created'`,
    [environmentId],
  );
  t.same(
    events.rows.map(({ status }) => status),
    off,
    'the events of the links say that they are disabled',
  );
  await runs.finish('--resume');
  t.same(await states(), off);
  const { rows } = await client.query<{ clicks: number }>('SELECT sum(clicks)::integer AS clicks FROM imported_clicks');
  t.equal(rows[0]?.clicks, clicksOf(0) + clicksOf(1) + clicksOf(2));
}

/**
 * Sends a signal to an import of a file while PostgreSQL works on its first batch. The batches under way are finished and
 * reported, and no other link is made.
 */
export async function interruptedInFirstBatch(t: Test, signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  const links = 5 * BATCH;
  const source = LINK_SOURCES.find(({ name }) => name === 'csv') as LinkSource;
  const runs = await importRuns(t, source, links);
  const { client, databaseUrl, environmentId } = runs;
  const blocker = await connect(databaseUrl);
  try {
    await blocker.query('BEGIN');
    await blocker.query(
      `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at) VALUES ('lnk_blocker', $1, $2, '/', now(), now())`,
      [environmentId, pathOf(1)],
    );
    const started = runs.start();
    await until(async () => (await waiting(client)) > 0, 'the import to wait within its first batch');
    started.child.kill(signal);
    await setTimeout(200);
    await blocker.query('ROLLBACK');
    t.same(await started.ended(), { code: 130, signal: null });
    const output = started.output();
    t.match(output, /^linkd: interrupted; run the command again to continue$/m);
    t.match(output, /created\W+[12]000\b/, 'what was done before is told');
  } finally {
    await blocker.end();
  }
  const made = await runs.made();
  t.ok(made === BATCH || made === 2 * BATCH, `only whole batches are made: ${made}`);
  const reported = readFileSync(runs.report, 'utf8').split('\n').filter(Boolean);
  t.equal(reported.length, made, 'the report names each link that was made');
  t.match((await runs.finish('--resume')).counts, { created: links, exists: 0, failed: 0 });
  await judge(t, source, runs, links);
}

/**
 * Kills an import of many links at random moments and starts it again each time. Then runs it to its end, repeats it, and prints
 * the rates.
 */
export async function killedAtRandom(t: Test, source: LinkSource, links: number, kills: number): Promise<void> {
  const runs = await importRuns(t, source, links);
  for (let kill = 0; kill < kills; kill++) {
    const before = await runs.made();
    const enough = before + Math.ceil(Math.random() * (links / (kills + 2)));
    const started = runs.start(...(kill % 2 === 0 ? [] : ['--resume']));
    await until(async () => (await runs.made()) >= enough, `${enough} links to be made`, 600_000);
    await started.kill();
    t.ok((await runs.made()) < links, 'the import was killed before its end');
  }
  const before = await runs.made();
  const last = await runs.finish();
  await judge(t, source, runs, links);
  const again = await runs.finish();
  t.match(again.counts, { created: 0, exists: links, failed: 0 });
  await judge(t, source, runs, links);
  const rate = (count: number, seconds: number) => `${Math.round(count / seconds)} a second`;
  t.comment(
    `${source.name}: ${links - before} links made and ${before} found again in ${last.seconds.toFixed(1)} s (${rate(links, last.seconds)}); ` +
      `${links} found again in ${again.seconds.toFixed(1)} s (${rate(links, again.seconds)})`,
  );
}
