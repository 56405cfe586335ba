import type { Command } from 'commander';
import { type Engine, type Installation, type Stored, storedInstallation } from '../health/installation.js';
import { CommandError } from './command-error.js';
import type { Output } from './output.js';
import type { Run } from './run.js';
import { olderSchema } from './schema.js';

export function addHealth(program: Command, run: Run): void {
  program
    .command('health')
    .description('show the state of the installation from its database: engines, configuration, clicks; exits with 1 if anything is wrong')
    .addHelpText('after', HELP)
    .action(() =>
      run(async (output, { database, schemaDifference }) => {
        const { pending } = await schemaDifference();
        if (pending.length > 0) throw new CommandError(olderSchema(pending));
        const installation = await storedInstallation(database());
        if (output.json) output.object(installation);
        else print(installation, installation.stored, output);
        const { length } = installation.problems;
        if (length > 0) throw new CommandError(`the installation is degraded: ${length} ${length === 1 ? 'problem' : 'problems'}`);
      }),
    );
}

const HELP = `
Engines write their state to the database every two seconds. An engine that no longer reaches it is shown as silent, and
after 75 seconds no longer shown if other engines run. The parts of control planes are not shown: see /health/installation of the
admin port of a control plane.

Examples:
  linkd health
  linkd health --json`;

function print({ status, checked_at, problems }: Installation, { feed, clicks, engines }: Stored, output: Output): void {
  output.object({
    status,
    'checked at': checked_at,
    'changes of configuration': feed.position,
    'changes not numbered': feed.unnumbered,
    'clicks not counted': clicks.uncounted,
  });
  output.rows(engines.map(rowOf), 'no engine');
  if (problems.length > 0) output.rows(problems.map(({ what, since }) => ({ problem: what, since })));
}

function rowOf({ id, status, roles, heartbeat_at, feed_lag, processes, spool }: Engine): Readonly<Record<string, unknown>> {
  return {
    engine: id,
    status,
    roles: roles.join(),
    heartbeat: heartbeat_at,
    behind: feed_lag,
    processes: processes?.length,
    restarts: processes?.reduce((sum, { restarts }) => sum + restarts, 0),
    'spool bytes': spool?.pending_bytes,
    'clicks dropped': spool?.dropped_clicks,
  };
}
