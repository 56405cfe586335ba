import type { Command } from 'commander';
import { dayBefore } from '../../shared/base/day-ranges.js';
import { rebuildFigures } from '../click-figures/counting/rebuild.js';
import { figuresKeptFrom } from '../click-figures/kept-days.js';
import { CommandError, EXIT_USAGE } from './command-error.js';
import type { Output } from './output.js';
import { createProgress } from './progress.js';
import { requireEnvironment } from './require-environment.js';
import type { ProgramDependencies, Run } from './run.js';
import { parseDay } from './times.js';

export function addFigures(program: Command, run: Run): void {
  program
    .command('figures')
    .description('manage the figures that are counted from the click log')
    .command('rebuild')
    .description('count days again from the click log; the command can be stopped and repeated')
    .option('--from <day>', 'first day, in the project’s time zone (default: the oldest day that is counted)')
    .option('--to <day>', 'last day (default: today)')
    .option('--env <id>', 'env_...; all environments by default')
    .addHelpText('after', HELP)
    .action((options: RebuildOptions) => run((output, dependencies) => rebuild(options, output, dependencies)));
}

/** ClickHouse has sums of all past days. */
const FIRST_DAY = '1970-01-01';

const HELP = `
The result is the same as that of counting while clicks arrive. "changed" is the number of days of environments whose figures
were different before: it is 0 unless the click log was changed by hand.

With CLICK_STORE=clickhouse, the command invalidates the sums of the days, and the control plane makes them again within an
hour. Until then, statistics are read from the clicks. "days" is the number of days of environments.

Examples:
  linkd figures rebuild
  linkd figures rebuild --from 2026-11-01 --to 2026-11-20 --env env_01jd4v6xq8e5s0m3k7n9p2r4tw --json`;

interface RebuildOptions {
  readonly from?: string;
  readonly to?: string;
  readonly env?: string;
}

async function rebuild(options: RebuildOptions, output: Output, dependencies: ProgramDependencies): Promise<void> {
  const { database, clickStore, clickRetentionDays, terminal, nowMs } = dependencies;
  const { forgetSums } = clickStore();
  // East of Greenwich, it may already be tomorrow.
  const latest = dayBefore(nowMs(), -1);
  const oldest = forgetSums === null ? figuresKeptFrom(nowMs(), clickRetentionDays()) : FIRST_DAY;
  const from = options.from === undefined ? oldest : parseDay('--from', options.from);
  const to = options.to === undefined ? latest : parseDay('--to', options.to);
  if (from < oldest)
    throw new CommandError(`figures are kept from ${oldest} on; pass that day or a later one as --from, not ${from}`, EXIT_USAGE);
  if (to > latest) throw new CommandError(`${to} has not begun in any time zone; pass an earlier --to`, EXIT_USAGE);
  if (from > to) throw new CommandError('--to must not be before --from', EXIT_USAGE);
  const environmentId = options.env === undefined ? null : (await requireEnvironment(database(), options.env)).id;
  if (forgetSums !== null) {
    const days = await forgetSums(database(), { from, to, environmentId });
    output.object({ from, to, days });
    return;
  }
  const bar = createProgress(terminal, '{bar} {value} of {total} days');
  const outcome = await rebuildFigures(database(), {
    from,
    to,
    environmentId,
    onProgress: bar.update,
  }).finally(bar.stop);
  output.object({ from, to, ...outcome });
}
