import type { Command } from 'commander';
import { counted } from '../../shared/base/counted.js';
import { rotateSecrets } from '../secrets/rotate.js';
import { CommandError } from './command-error.js';
import { createProgress } from './progress.js';
import type { Run } from './run.js';

export function addSecrets(program: Command, run: Run): void {
  program
    .command('secrets')
    .description('manage stored credentials, which are encrypted with SECRETS_KEYS')
    .command('rotate')
    .description('encrypt every stored credential again with the first key; the command can be stopped and repeated')
    .addHelpText('after', ROTATE_HELP)
    .action(() =>
      run(async (output, { database, secretKeys, terminal, writeError }) => {
        const progress = createProgress(terminal, '{value} sealed again');
        const { resealed, unreadable } = await rotateSecrets(database(), secretKeys(), {
          onProgress: (count) => progress.update(count, count),
        }).finally(progress.stop);
        for (const place of unreadable) writeError(`no key in SECRETS_KEYS can decrypt ${place}\n`);
        output.object({ resealed, unreadable: output.json ? unreadable : unreadable.length });
        if (unreadable.length > 0)
          throw new CommandError(
            `${counted(unreadable.length, 'credential')} could not be decrypted; add the keys with which they were encrypted to SECRETS_KEYS and run the command again`,
          );
      }),
    );
}

const ROTATE_HELP = `
1. Put a new key behind the old one in SECRETS_KEYS of every process, and restart them: each can read what the new key seals.
2. Put the new key in front of the old one everywhere, and restart them again.
3. Run this command with the same SECRETS_KEYS.
4. Remove the old key 90 days later. Until then, stores may send ids of clicks that it has signed.

Example:
  linkd secrets rotate`;
