import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SettingError } from '../shared/base/settings.js';
import type { Measurement } from './load/measure.js';
import type { Options } from './options.js';
import type { RedirectBench } from './redirect.js';
import { attributionTableOf } from './report/attribution-table.js';
import { ingestTablesOf, linkListsTableOf, statsTableOf } from './report/click-tables.js';
import { clickHouseTableOf } from './report/clickhouse-table.js';
import { backlogIsRight, backlogTablesOf, countingIsRight, countingTablesOf } from './report/counting-tables.js';
import { dashboardTableOf } from './report/dashboard-table.js';
import { hostCopyTablesOf } from './report/host-copy-table.js';
import { idleTableOf } from './report/idle-table.js';
import { describeMachine } from './report/machine.js';
import { redirectPlots } from './report/plot.js';
import type { Progress } from './report/progress.js';
import { restoreTableOf } from './report/restore-table.js';
import { creationTableOf, importTableOf, manyLinksTableOf, stepTableOf, tableOf, targetTableOf } from './report/table.js';
import { tailIsRight, tailTableOf } from './report/tail-table.js';
import { targetOutcomes } from './report/targets.js';
import { webhookTablesOf } from './report/webhook-tables.js';

/** A part of the bench, by the name with which it is requested. */
export interface Part {
  readonly about: string;
  /** The part runs only if it is named, because it needs programs that few machines have. */
  readonly named?: true;
  run(options: Options, onStep: Progress['step']): Promise<Outcome>;
}

export interface Outcome {
  /** As in the JSON file. */
  readonly figures: unknown;
  /** Tables, for people. */
  readonly text: string;
  /** False if a measurement is worth nothing: a server failed, or answered something else. */
  readonly valid: boolean;
}

/**
 * In the order in which they run. A part is loaded when it is requested, because its modules take longer to load than
 * it takes to report a mistake in the command.
 */
export const PARTS: Readonly<Record<string, Part>> = {
  redirect: {
    about: 'a redirect over HTTP, beside other servers that answer the same links',
    async run(options, onStep) {
      const { runRedirect } = await import('./redirect.js');
      const figures = await inDataDir(options, onStep, runRedirect);
      if (options.plots !== null) writePlots(figures, options.plots);
      const targets = targetOutcomes(figures, describeMachine().cpu);
      return servers(figures, targets.length > 0 ? `\n\n${targetTableOf(targets)}` : '');
    },
  },
  processes: {
    about: 'two redirect processes on one port, beside one',
    async run(options, onStep) {
      const { runProcesses } = await import('./processes.js');
      return servers(await inDataDir(options, onStep, runProcesses), '');
    },
  },
  micro: {
    about: 'the steps of a redirect one by one, without HTTP',
    async run({ links, seconds }) {
      const figures = await (await import('./micro/redirect-steps.js')).runMicro({ links, milliseconds: seconds * 1000 });
      return { figures, text: stepTableOf(figures), valid: true };
    },
  },
  cards: {
    about: 'warm preview cards, beside a bare server that answers as many bytes',
    async run(options, onStep) {
      const { runCards } = await import('./cards.js');
      return servers(await inDataDir(options, onStep, runCards), '');
    },
  },
  'link-creation': {
    about: 'links created over REST, beside it without a change feed and by bare SQL',
    async run({ rounds, seconds }, onStep) {
      const figures = await (await import('./link-creation.js')).runLinkCreation({ rounds, seconds, onStep });
      return { figures, text: creationTableOf(figures), valid: true };
    },
  },
  'many-links': {
    about: 'pages of a long list, and bulk calls into it',
    async run({ links, rounds }, onStep) {
      const figures = await (await import('./many-links.js')).runManyLinks({ links, rounds, onStep });
      return { figures, text: manyLinksTableOf(figures), valid: true };
    },
  },
  imports: {
    about: 'links that move in from another service, by the command line and over the API',
    async run({ imports }, onStep) {
      const figures = await (await import('./imports.js')).runImports({ ...imports, onStep });
      return { figures, text: importTableOf(figures), valid: true };
    },
  },
  webhooks: {
    about: 'signed deliveries, from the queue to receivers over HTTP and TLS',
    async run({ rounds, seconds, minutes }, onStep) {
      const figures = await (await import('./webhooks.js')).runWebhooks({ rounds, seconds, minutes, onStep });
      return { figures, text: webhookTablesOf(figures), valid: true };
    },
  },
  ingest: {
    about: 'clicks, from the spool into PostgreSQL',
    async run({ rounds, rate, steadySeconds }, onStep) {
      const figures = await (await import('./ingest.js')).runIngest({ rounds, rate, steadySeconds, onStep });
      return { figures, text: ingestTablesOf(figures), valid: true };
    },
  },
  'link-lists': {
    about: 'lists of links over REST: searched, sorted, by tag',
    async run({ links }, onStep) {
      const figures = await (await import('./link-lists.js')).runLinkLists({ links, onStep });
      return { figures, text: linkListsTableOf(figures), valid: true };
    },
  },
  stats: {
    about: 'statistics over REST, from a log of thirty days',
    async run({ clicks }, onStep) {
      const figures = await (await import('./stats.js')).runStats({ clicks, onStep });
      return { figures, text: statsTableOf(figures), valid: true };
    },
  },
  clickhouse: {
    about: 'clicks in ClickHouse: how fast a spool is stored, and statistics over REST',
    named: true,
    async run({ clicks }, onStep) {
      const figures = await (await import('./clickhouse.js')).runClickHouse({ clicks, onStep });
      return { figures, text: clickHouseTableOf(figures), valid: figures.answered_clicks === figures.clicks };
    },
  },
  restore: {
    about: 'a database that is lost and restored to a second by pgBackRest, and the service on it',
    named: true,
    async run({ links, clicks, data }, onStep) {
      const figures = await (await import('./restore.js')).runRestore({ links, clicks, dataDir: data, onStep });
      return { figures, text: restoreTableOf(figures), valid: figures.wrong.length === 0 };
    },
  },
  'host-copy': {
    about: "ever more links from PostgreSQL into a host's copy and its link index, and redirects from it beside the floor",
    named: true,
    async run({ hostCopy, data, rounds, seconds, warmUpSeconds }, onStep) {
      const { runHostCopy } = await import('./host-copy.js');
      const figures = await runHostCopy({ ...hostCopy, dataDir: data, rounds, seconds, warmUpSeconds, onStep });
      const valid = figures.every(({ redirects }) => redirects.every(({ invalid }) => invalid === null));
      return { figures, text: hostCopyTablesOf(figures), valid };
    },
  },
  tail: {
    about: 'how long visitors wait while links are made, read again, indexed, and processes replaced',
    async run({ tail }, onStep) {
      const figures = await (await import('./tail.js')).runTail({ ...tail, onStep });
      return { figures, text: tailTableOf(figures), valid: tailIsRight(figures) };
    },
  },
  counting: {
    about: 'how figures keep up with redirects, or with a backlog of clicks',
    async run({ counting: { backlog, ...visits } }, onStep) {
      if (backlog !== null) {
        const figures = await (await import('./counting/backlog.js')).runBacklog({ links: visits.links, clicks: backlog, onStep });
        return { figures, text: backlogTablesOf(figures), valid: backlogIsRight(figures) };
      }
      const figures = await (await import('./counting.js')).runCounting({ ...visits, onStep });
      return { figures, text: countingTablesOf(figures), valid: countingIsRight(figures) };
    },
  },
  idle: {
    about: 'what the service costs while nobody uses it',
    async run({ idle }, onStep) {
      const figures = await (await import('./idle.js')).runIdle({ ...idle, onStep });
      return { figures, text: idleTableOf(figures), valid: true };
    },
  },
  dashboard: {
    about: 'screens of the dashboard in a browser, on a slow line and a slow processor',
    async run({ dashboard, rounds }, onStep) {
      const figures = await (await import('./dashboard.js')).runDashboard({ ...dashboard, rounds, onStep });
      return { figures, text: dashboardTableOf(figures), valid: true };
    },
  },
  attribution: {
    about: 'how many of the matched installs are right, simulated',
    async run({ installs }, onStep) {
      const figures = await (await import('./attribution/simulate.js')).runAttribution(installs, onStep);
      return { figures, text: attributionTableOf(figures), valid: true };
    },
  },
};

/** Returns the parts that the command names, or all that run without being named. Throws a SettingError if there is no such part. */
export function chosenParts({ parts }: Options): readonly (readonly [string, Part])[] {
  const unknown = parts.find((name) => !Object.hasOwn(PARTS, name));
  const all = Object.entries(PARTS);
  if (unknown !== undefined) throw new SettingError(`there is no bench "${unknown}"; there are ${all.map(([name]) => name).join(', ')}`);
  return parts.length === 0 ? all.filter(([, part]) => part.named !== true) : all.filter(([name]) => parts.includes(name));
}

function servers(figures: readonly Measurement[], more: string): Outcome {
  return { figures, text: tableOf(figures) + more, valid: figures.every(({ invalid }) => invalid === null) };
}

function writePlots(figures: readonly Measurement[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, svg] of redirectPlots(figures)) writeFileSync(join(folder, name), svg);
}

/** Runs a bench of servers on the requested folder, or on one that is removed afterwards. */
async function inDataDir(
  { data, ...plan }: Options,
  onStep: Progress['step'],
  bench: (plan: RedirectBench) => Promise<readonly Measurement[]>,
): Promise<readonly Measurement[]> {
  const dataDir = data ?? mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    return await bench({ ...plan, dataDir, onStep });
  } finally {
    if (data === null) rmSync(dataDir, { recursive: true, force: true });
  }
}
