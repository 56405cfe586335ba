import { setTimeout } from 'node:timers/promises';
import {
  type ClickCosts,
  readFigureRows,
  readTableSizes,
  readWaitingClicks,
  startCostReading,
  type TableSize,
} from './counting/click-costs.js';
import { type ComparedAnswers, type FigureDifference, figureDifferences } from './counting/figure-differences.js';
import { type CountingService, type CreatedLink, createLinks, withCountingService } from './counting/service.js';
import { askStatistics, type StatisticsSample, startStatisticsPoll } from './counting/statistics-poll.js';
import { runVisits, type VisitResult } from './counting/visits.js';
import { LIVE_LINK_HOST } from './load/rest-service.js';

export interface CountingBench {
  readonly links: number;
  readonly seconds: number;
  /** Visits per second; null for as many as are answered. */
  readonly rate: number | null;
  /** How long after the last visit statistics are requested. */
  readonly afterSeconds: number;
  onStep(done: number, of: number, what: string): void;
}

/** How well figures keep up with redirects. */
export interface CountingResult {
  readonly links: number;
  /** As requested; null for as many as are answered. */
  readonly rate: number | null;
  readonly visits: number;
  readonly visits_per_second: number;
  /** How many answers were not redirects, by status. */
  readonly other_statuses: Readonly<Record<string, number>>;
  readonly unanswered: number;
  readonly dropped_clicks: number;
  readonly client_us: number;
  /** The range of the answers that are compared. `7d` if the visits were on two days. */
  readonly range: StatsRange;
  /** From the last visit until the total of the statistics is that of the visits; null if it never was. */
  readonly complete_seconds: number | null;
  /** From the last visit until statistics are complete and no click waits to be counted; null if that never was the case. */
  readonly counted_seconds: number | null;
  readonly differences: readonly FigureDifference[];
  readonly costs: ClickCosts;
  readonly figure_rows_per_click: number;
  readonly tables: readonly TableSize[];
  /** Requested during the visits, and afterwards. */
  readonly statistics: { readonly during: readonly StatisticsSample[]; readonly after: readonly StatisticsSample[] };
}

type StatsRange = '1d' | '7d';

/** The link whose own statistics are requested and compared. */
const WATCHED_LINK = 0;
const COMPLETE_MS_MAX = 120_000;
const COMPLETE_INTERVAL_MS = 200;
const STEPS = 4;

/** Sends redirects, each counted in the client, and requests statistics at the same time until both agree. */
export function runCounting(bench: CountingBench): Promise<CountingResult> {
  bench.onStep(0, STEPS, 'the service starts');
  return withCountingService(async (service) => {
    bench.onStep(1, STEPS, 'links are made');
    const links = await createLinks(service, bench.links);
    return measure(service, links, bench);
  });
}

async function measure(service: CountingService, links: readonly CreatedLink[], bench: CountingBench): Promise<CountingResult> {
  const { visited, completion, costs, samples } = await visitAndAsk(service, links, bench);
  const clicks = visited.counts.total;
  const isDuring = ({ asked_at_ms }: StatisticsSample) => asked_at_ms <= visited.last_answer_at_ms;
  const result = {
    links: links.length,
    rate: bench.rate,
    ...visitFigures(visited),
    ...completion,
    dropped_clicks: service.engine.droppedClicks(),
    differences: await compare(service, visited, links, completion.range),
    costs,
    figure_rows_per_click: (await readFigureRows(service.client)) / clicks,
    tables: await readTableSizes(service.client, clicks),
    statistics: { during: samples.filter(isDuring), after: samples.filter((sample) => !isDuring(sample)) },
  };
  bench.onStep(STEPS, STEPS, 'done');
  return result;
}

interface Observation {
  readonly visited: VisitResult;
  readonly completion: Completion;
  readonly costs: ClickCosts;
  readonly samples: readonly StatisticsSample[];
}

/**
 * Runs the visits, and requests statistics from the first visit until some time after the last. Costs are those until
 * everything is counted.
 */
async function visitAndAsk(service: CountingService, links: readonly CreatedLink[], bench: CountingBench): Promise<Observation> {
  const { url, secretKey, client, processes, engine } = service;
  const firstDay = utcDay(Date.now());
  const reading = await startCostReading(client, processes);
  const poll = startStatisticsPoll(url, secretKey, pathsOf(links));
  try {
    bench.onStep(2, STEPS, 'visits');
    const paths = links.map(({ path }) => path);
    const { seconds, rate } = bench;
    const visited = await runVisits({ port: engine.port, host: LIVE_LINK_HOST, paths, seconds, rate, watchedLink: WATCHED_LINK });
    bench.onStep(3, STEPS, 'the figures become complete');
    const complete = async () => {
      const completion = await untilComplete(service, visited, firstDay);
      return { completion, costs: await reading.costsOf(visited.counts.total) };
    };
    const askAfterwards = async () => {
      await setTimeout(Math.max(0, visited.last_answer_at_ms + bench.afterSeconds * 1000 - Date.now()));
      return poll.stop();
    };
    const [completed, samples] = await Promise.all([complete(), askAfterwards()]);
    return { visited, ...completed, samples };
  } finally {
    await poll.stop();
  }
}

function pathsOf(links: readonly CreatedLink[]): readonly string[] {
  return ['/stats?range=1d', '/stats?range=7d', linkStatsPath(links), '/resources/stats?range=7d'];
}

function linkStatsPath(links: readonly CreatedLink[]): string {
  return `/links/${links[WATCHED_LINK]?.id}/stats`;
}

function visitFigures({ counts, seconds, other_statuses, unanswered, cpu_us }: VisitResult) {
  const visits = counts.total;
  return { visits, visits_per_second: visits / seconds, other_statuses, unanswered, client_us: cpu_us / visits };
}

type Completion = Pick<CountingResult, 'range' | 'complete_seconds' | 'counted_seconds'>;

async function untilComplete(
  { url, secretKey, client }: CountingService,
  { counts, last_answer_at_ms }: VisitResult,
  firstDay: string,
): Promise<Completion> {
  let complete_seconds: number | null = null;
  let counted_seconds: number | null = null;
  for (;;) {
    // Visits from before midnight are no longer part of the day.
    const range = utcDay(Date.now()) === firstDay ? '1d' : '7d';
    const { status, body } = await askStatistics<ComparedAnswers['environment']>(url, secretKey, `/stats?range=${range}`);
    const seconds = (Date.now() - last_answer_at_ms) / 1000;
    if (status === 200 && body.totals.all === counts.total) complete_seconds ??= seconds;
    if (complete_seconds !== null && (await readWaitingClicks(client)) === 0) counted_seconds = (Date.now() - last_answer_at_ms) / 1000;
    if (counted_seconds !== null || seconds * 1000 > COMPLETE_MS_MAX) return { range, complete_seconds, counted_seconds };
    await setTimeout(COMPLETE_INTERVAL_MS);
  }
}

async function compare(
  { url, secretKey }: CountingService,
  { counts }: VisitResult,
  links: readonly CreatedLink[],
  range: StatsRange,
): Promise<readonly FigureDifference[]> {
  const environment = await askStatistics<ComparedAnswers['environment']>(url, secretKey, `/stats?range=${range}`);
  const link = await askStatistics<ComparedAnswers['link']>(url, secretKey, linkStatsPath(links));
  const refused = [environment, link].find(({ status }) => status !== 200);
  if (refused !== undefined) return [{ figure: 'all', visits: counts.total, statistics: `refused: ${refused.status}` }];
  const linkIds = links.map(({ id }) => id);
  return figureDifferences(counts, linkIds, { environment: environment.body, link: link.body });
}

function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
