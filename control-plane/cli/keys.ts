import { type Command, Option } from 'commander';
import { isId } from '../../shared/base/ids.js';
import { SCOPES, type Scope } from '../../shared/contract/schemas/scopes.js';
import type { Database } from '../db/database.js';
import { createKey, listKeys, revokeKey } from '../keys/keys.js';
import { nameFault } from '../projects/projects.js';
import { CommandError, EXIT_NOT_FOUND, EXIT_USAGE } from './command-error.js';
import type { Output } from './output.js';
import { requireEnvironment } from './require-environment.js';
import type { Run } from './run.js';

export function addKeys(program: Command, run: Run): void {
  const keys = program.command('keys').description('manage API keys');
  keys
    .command('create')
    .description('create a key; it is shown only once')
    .requiredOption('--env <id>', 'environment of the key, env_...')
    .requiredOption('--name <name>', 'what the key is for')
    .addOption(
      new Option('--kind <kind>', 'secret: for servers; publishable: for apps and browsers')
        .choices(['secret', 'publishable'])
        .default('secret'),
    )
    .addOption(new Option('--scope <scope...>', 'scopes of a secret key (default: all)').choices(SCOPES))
    .addHelpText(
      'after',
      '\nExample:\n  linkd keys create --env env_01jd4v6xq8e5s0m3k7n9p2r4tw --name backend --scope links:write analytics:read',
    )
    .action((options: KeyOptions) => run((output, { database, nowMs }) => keysCreate(options, output, database(), nowMs())));
  keys
    .command('list')
    .description('list the keys of an environment, newest first')
    .requiredOption('--env <id>', 'environment, env_...')
    .addHelpText('after', '\nExample:\n  linkd keys list --env env_01jd4v6xq8e5s0m3k7n9p2r4tw')
    .action((options: { env: string }) =>
      run(async (output, { database }) => {
        const environment = await requireEnvironment(database(), options.env);
        const rows = (await listKeys(database(), environment.id)).map(({ prefix, last4, environment_id: _, ...row }) => ({
          ...row,
          key: `${prefix}...${last4}`,
        }));
        output.rows(rows, 'The environment has no keys.');
      }),
    );
  keys
    .command('revoke')
    .description('revoke a key; every server refuses it within a second')
    .argument('<id>', 'key_...')
    .addHelpText('after', '\nExample:\n  linkd keys revoke key_01jd4v6xq8e5s0m3k7n9p2r4tw')
    .action((id: string) =>
      run(async (output, { database }) => {
        if (!isId('key', id) || !(await revokeKey(database(), id))) throw new CommandError(`there is no key ${id}`, EXIT_NOT_FOUND);
        output.object({ revoked: id });
      }),
    );
}

interface KeyOptions {
  readonly env: string;
  readonly name: string;
  readonly kind: 'secret' | 'publishable';
  readonly scope?: Scope[];
}

async function keysCreate(options: KeyOptions, output: Output, database: Database, nowMs: number): Promise<void> {
  if (options.kind === 'publishable' && options.scope !== undefined)
    throw new CommandError('a publishable key has no scopes; leave out --scope', EXIT_USAGE);
  const fault = nameFault(options.name);
  if (fault !== null) throw new CommandError(`--name: ${fault}`, EXIT_USAGE);
  const environment = await requireEnvironment(database, options.env);
  const scopes = options.scope === undefined ? {} : { scopes: [...new Set(options.scope)] };
  const wanted = { environmentId: environment.id, environment: environment.name, kind: options.kind, name: options.name, ...scopes };
  const { id, key } = await createKey(database, wanted, nowMs);
  output.object({ id, environment: environment.name, kind: options.kind, key });
}
