import type { Command } from 'commander';
import { CommandError, EXIT_USAGE } from './command-error.js';
import type { Output } from './output.js';
import type { ProgramDependencies, Run } from './run.js';
import { parseDay, parseSpan } from './times.js';

export function addClicksCopy(clicks: Command, run: Run): void {
  clicks
    .command('copy')
    .description('copy the clicks of a day from PostgreSQL into ClickHouse')
    .requiredOption('--day <day>', 'day (UTC), such as 2026-11-20')
    .addHelpText('after', HELP)
    .action((options: CopyOptions) => run((output, dependencies) => copy(options, output, dependencies)));
}

const HELP = `
Run it when engines store clicks in ClickHouse, once for each day that you want to keep. It leaves out clicks that are there already, so
you can stop it at any time and run it again. It removes nothing from PostgreSQL, which drops the day after CLICK_RETENTION_DAYS.
A copied click is marked as in PostgreSQL: if "linkd clicks reclassify" was run since the change to ClickHouse, run it again afterwards.

Examples:
  linkd clicks copy --day 2026-11-20`;

interface CopyOptions {
  readonly day: string;
}

async function copy(options: CopyOptions, output: Output, { database, clickStore, nowMs }: ProgramDependencies): Promise<void> {
  const { copyDay } = clickStore();
  if (copyDay === null) throw new CommandError('clicks are stored in PostgreSQL: set CLICK_STORE and CLICKHOUSE_URL first', EXIT_USAGE);
  const day = parseDay('--day', options.day);
  const copied = await copyDay(database(), parseSpan({ from: day, to: day }, nowMs()));
  if (copied === 'busy') throw new CommandError('another copy is running: wait until it has finished');
  output.object({ day, clicks: copied.clicks, copied: copied.copied, stored_before: copied.clicks - copied.copied });
  if (copied.missing > 0) throw new CommandError(`${copied.missing} clicks are missing in ClickHouse: run the command again`);
}
