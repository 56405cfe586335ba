import type { Command } from 'commander';
import { CommandError } from './command-error.js';
import { createProgress } from './progress.js';
import type { Run } from './run.js';
import { olderSchema } from './schema.js';

export function addSpool(program: Command, run: Run): void {
  program
    .command('spool')
    .description('manage click spools of engines')
    .command('ship')
    .description('store the clicks in the spool of an engine whose host is lost; the command can be stopped and repeated')
    .requiredOption('--dir <folder>', 'the folder "spool" of its DATA_DIR, or a copy of it')
    .addHelpText('after', HELP)
    .action(({ dir }: { dir: string }) =>
      run(async (output, { database, schemaDifference, shipSpool, terminal }) => {
        const { pending } = await schemaDifference();
        if (pending.length > 0) throw new CommandError(olderSchema(pending));
        await database().query({ text: 'SELECT 1', values: [] });
        const bar = createProgress(terminal, '{value} clicks');
        const shipped = await shipSpool(dir, (clicks) => bar.update(clicks, clicks)).finally(bar.stop);
        output.object(shipped);
        if (shipped.quarantined + shipped.refused + shipped.left > 0)
          throw new CommandError(
            'not all clicks could be stored: see its folder "quarantine", and run the release that wrote the remaining files',
          );
      }),
    );
}

const HELP = `
Each click is stored once, because the database knows how far each file is stored: by the engine before it died, by a run that
was stopped, or by a run on a copy. Files whose clicks are stored are removed. Run the command, also on copies, within 7 days of
the loss of the host: the database remembers for that long which files it has stored.

The command needs the SECRETS_KEYS of the engine. Addresses were encrypted with a key that existed only in the memory of the
engine, so these clicks have no address: each counts as a separate visitor, and no first open of an app is matched to one by
address. Countries are kept.

Example:
  linkd spool ship --dir /mnt/lost-host/link-service/spool`;
