import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { figuresKeptFrom } from '../click-figures/kept-days.js';
import {
  type ClickSelector,
  matchUserAgents,
  type Reclassification,
  type ReclassifiedDay,
  type UserAgentMatch,
} from '../clicks/reclassify.js';
import { isInvalidRegularExpression } from '../db/database.js';
import { dayParts } from '../local-days/span.js';
import { findEnvironmentNumber } from '../projects/projects.js';
import { CommandError, EXIT_USAGE } from './command-error.js';
import type { Output } from './output.js';
import { createProgress } from './progress.js';
import { requireEnvironment } from './require-environment.js';
import type { ProgramDependencies, Run } from './run.js';
import { parseSpan } from './times.js';
import { unreadable } from './written-file.js';

export function addReclassify(clicks: Command, run: Run): void {
  clicks
    .command('reclassify')
    .description('mark past clicks as made by a bot, and count their days again')
    .requiredOption('--from <time>', 'first day (UTC) or instant')
    .requiredOption('--to <time>', 'last day (UTC, inclusive) or instant (exclusive)')
    .option('--ua <pattern>', 'user agents that match this regular expression, ignoring case')
    .option('--address-hashes <file>', 'file of address hashes as in an export, one of 16 hexadecimal digits per line')
    .option('--env <id>', 'env_...; all environments by default')
    .option('--reason <word>', 'value to set as bot_reason', 'reclassified')
    .option('--dry-run', 'only count what would change')
    .addHelpText('after', HELP)
    .action((options: ReclassifyOptions) => run((output, dependencies) => reclassify(options, output, dependencies)));
}

const HELP = `
Each day of the log changes in one transaction with the figures of its clicks, so you can stop the command at any time and run
it again. Webhooks that were already sent are not corrected. The hash of an address is different on every day.

Examples:
  linkd clicks reclassify --ua 'AcmeScanner/' --from 2026-11-01 --to 2026-11-20 --dry-run
  linkd clicks reclassify --address-hashes scanner.txt --from 2026-11-19 --to 2026-11-19 --reason acme_scanner`;

interface ReclassifyOptions {
  readonly from: string;
  readonly to: string;
  readonly ua?: string;
  readonly addressHashes?: string;
  readonly env?: string;
  readonly reason: string;
  readonly dryRun?: true;
}

/** Maximum number of user agents to show. If a pattern matches more, the total shows how many. */
const USER_AGENTS_SHOWN = 20;

async function reclassify(options: ReclassifyOptions, output: Output, dependencies: ProgramDependencies): Promise<void> {
  const { database, clickStore, clickRetentionDays, terminal, nowMs } = dependencies;
  if ((options.ua === undefined) === (options.addressHashes === undefined))
    throw new CommandError('pass either --ua or --address-hashes', EXIT_USAGE);
  // The pattern of a shell variable that is not set would match every click, and none can be marked as human again.
  if (options.ua === '') throw new CommandError('--ua: an empty pattern matches every user agent; pass one that is not empty', EXIT_USAGE);
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(options.reason))
    throw new CommandError('--reason must have 1 to 64 characters of a to z, 0 to 9 and _, and begin with a letter', EXIT_USAGE);
  const span = parseSpan(options, nowMs());
  const environment = options.env === undefined ? null : await requireEnvironment(database(), options.env);
  const userAgents = options.ua === undefined ? null : await findUserAgents(options.ua, dependencies);
  const wanted: Reclassification = {
    span,
    environmentNumber: environment === null ? null : await findEnvironmentNumber(database(), environment.id),
    selector: await selectorOf(userAgents, options),
    botReason: options.reason,
    keptFrom: figuresKeptFrom(nowMs(), clickRetentionDays()),
  };
  if (options.dryRun) {
    tell(output, await clickStore().countSelected(database(), wanted), { dry_run: true, ...shownUserAgents(userAgents) });
    return;
  }
  const bar = createProgress(terminal, '{bar} {value} of {total} days');
  const parts = dayParts(span).length;
  const days: ReclassifiedDay[] = [];
  try {
    let done = 0;
    for await (const day of clickStore().reclassify(database(), wanted)) {
      if (day.clicks > 0) days.push(day);
      bar.update(++done, parts);
    }
  } finally {
    bar.stop();
  }
  tell(output, days, { dry_run: false, ...shownUserAgents(userAgents) });
}

async function findUserAgents(pattern: string, { database }: ProgramDependencies): Promise<readonly UserAgentMatch[]> {
  try {
    return await matchUserAgents(database(), pattern);
  } catch (error) {
    if (isInvalidRegularExpression(error))
      throw new CommandError(`--ua: "${pattern}" is not a valid regular expression of PostgreSQL`, EXIT_USAGE);
    throw error;
  }
}

async function selectorOf(userAgents: readonly UserAgentMatch[] | null, { addressHashes }: ReclassifyOptions): Promise<ClickSelector> {
  if (userAgents !== null) return { by: 'user_agent', hashes: userAgents.map(({ user_agent_hash }) => user_agent_hash) };
  return { by: 'address', hashes: await readHashes(addressHashes as string) };
}

async function readHashes(file: string): Promise<readonly Buffer[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw unreadable(error, file);
  }
  const hashes: Buffer[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const hash = line.trim();
    if (hash === '') continue;
    if (!/^[0-9a-f]{16}$/i.test(hash))
      throw new CommandError(`${file}, line ${index + 1}: "${hash}" is not 16 hexadecimal digits`, EXIT_USAGE);
    hashes.push(Buffer.from(hash, 'hex'));
  }
  if (hashes.length === 0) throw new CommandError(`${file} has no hashes; write one per line`, EXIT_USAGE);
  return hashes;
}

/** Shows what the pattern matched, so that the operator can check it. */
function shownUserAgents(userAgents: readonly UserAgentMatch[] | null) {
  if (userAgents === null) return {};
  return { user_agents: userAgents.length, examples: userAgents.slice(0, USER_AGENTS_SHOWN).map(({ user_agent }) => user_agent) };
}

function tell(
  output: Output,
  days: readonly ReclassifiedDay[],
  more: Readonly<Record<string, unknown>> & { readonly dry_run: boolean },
): void {
  const sum = (of: 'clicks' | 'visitors') => days.reduce((total, day) => total + day[of], 0);
  const totals = { clicks: sum('clicks'), visitors: sum('visitors') };
  if (output.json) {
    output.object({ ...more, ...totals, days });
    return;
  }
  output.rows(days, 'No clicks match.');
  const { examples, ...rest } = more as { examples?: readonly string[] };
  output.object({ ...rest, ...totals, ...Object.fromEntries((examples ?? []).map((text, index) => [`user agent ${index + 1}`, text])) });
}
