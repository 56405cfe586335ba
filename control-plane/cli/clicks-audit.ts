import type { Command } from 'commander';
import type { Queryable } from '../db/database.js';
import { CommandError } from './command-error.js';
import type { Output } from './output.js';
import type { ProgramDependencies, Run } from './run.js';
import { parseSpan } from './times.js';

export function addClicksAudit(clicks: Command, run: Run): void {
  clicks
    .command('audit')
    .description('find clicks that are stored more than once; exits with 1 if there are any')
    .requiredOption('--from <time>', 'first day (UTC) or instant')
    .requiredOption('--to <time>', 'last day (UTC, inclusive) or instant (exclusive)')
    .addHelpText('after', HELP)
    .action((options: AuditOptions) => run((output, dependencies) => audit(options, output, dependencies)));
}

const HELP = `
The id of a click is made of the file and the place in which an engine wrote it, so a click that is stored twice has the same id twice.
"batches" is the number of batches that engines are storing in ClickHouse and have not recorded as stored yet.

Examples:
  linkd clicks audit --from 2026-11-01 --to 2026-11-20`;

interface AuditOptions {
  readonly from: string;
  readonly to: string;
}

async function audit(options: AuditOptions, output: Output, { database, clickStore, nowMs }: ProgramDependencies): Promise<void> {
  const days = await clickStore().audit(database(), parseSpan(options, nowMs()));
  const doubled = days.map(({ day, clicks, ids }) => ({ day, clicks, doubled: clicks - ids })).filter(({ clicks }) => clicks > 0);
  const batches = await readBatches(database());
  if (output.json) output.object({ days: doubled, ...batches });
  else {
    output.rows(doubled, 'There are no clicks.');
    output.object(batches);
  }
  const sum = doubled.reduce((total, day) => total + day.doubled, 0);
  if (sum > 0) throw new CommandError(`${sum} clicks are stored more than once`);
}

async function readBatches(database: Queryable): Promise<{ readonly batches: number; readonly oldest: string | null }> {
  const { rows } = await database.query<{ batches: number; oldest: Date | null }>({
    text: 'SELECT count(DISTINCT batch_id)::integer AS batches, min(made_at) AS oldest FROM click_intents',
    values: [],
  });
  return { batches: rows[0]?.batches ?? 0, oldest: rows[0]?.oldest?.toISOString() ?? null };
}
