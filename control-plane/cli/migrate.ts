import type { Command } from 'commander';
import type { Run } from './run.js';

export function addMigrate(program: Command, run: Run): void {
  program
    .command('migrate')
    .description('migrate the database to the newest schema; safe to run at any time, also on several servers at once')
    .option('--plan', 'show the migrations that would run, and change nothing')
    .addHelpText('after', '\nExamples:\n  linkd migrate --plan\n  linkd migrate')
    .action((options: { plan?: true }) =>
      run(async (output, { migrate, schemaDifference, writeError }) => {
        if (options.plan) {
          const { pending } = await schemaDifference();
          output.object({ pending: output.json || pending.length > 0 ? pending : 'nothing to do: the schema is up to date' });
          return;
        }
        const applied = await migrate((line) => writeError(`${line}\n`));
        output.object({ applied: output.json || applied.length > 0 ? applied : 'nothing to do: the schema is up to date' });
      }),
    );
}
