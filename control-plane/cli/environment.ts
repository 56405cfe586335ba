import type { Command } from 'commander';
import { isId } from '../../shared/base/ids.js';
import { type Database, isUniqueViolation } from '../db/database.js';
import { changeHosts, type EnvironmentRow, hostsFault, listEnvironments } from '../projects/projects.js';
import { CommandError, EXIT_NOT_FOUND, EXIT_USAGE } from './command-error.js';
import { type EraseOptions, eraseEnvironment } from './erase.js';
import { hostArgument } from './host-argument.js';
import type { Output } from './output.js';
import { requireEnvironment } from './require-environment.js';
import type { Run } from './run.js';

export function addEnvironment(program: Command, run: Run): void {
  const environment = program.command('env').description('manage environments, each with its link host and its keys');
  environment
    .command('show')
    .description('show an environment, or all of a project')
    .argument('<id>', 'env_... or prj_...')
    .addHelpText('after', '\nExample:\n  linkd env show prj_01jd4v6xq8e5s0m3k7n9p2r4tw')
    .action((id: string) =>
      run(async (output, { database }) => {
        if (isId('project', id)) {
          const rows = await listEnvironments(database(), id);
          if (rows.length === 0) throw new CommandError(`there is no project ${id}`, EXIT_NOT_FOUND);
          output.rows(rows);
          return;
        }
        output.object(await requireEnvironment(database(), id));
      }),
    );
  environment
    .command('set-hosts')
    .description('change the hosts of an environment; links and aliases move to the new link host, short URLs on the old one stop working')
    .argument('<id>', 'env_...')
    .option('--link-host <host>', 'link host', hostArgument)
    .option('--open-host <host>', 'host of the pages that open the app (default: unchanged, or "open." before the link host)', hostArgument)
    .addHelpText('after', '\nExample:\n  linkd env set-hosts env_01jd4v6xq8e5s0m3k7n9p2r4tw --link-host go.example.com')
    .action((id: string, options: HostOptions) =>
      run((output, { database, nowMs }) => setHosts(id, options, output, { database: database(), nowMs: nowMs() })),
    );
  addErase(environment, run);
}

function addErase(environment: Command, run: Run): void {
  environment
    .command('erase')
    .description('delete clicks, statistics, installations, events and deliveries of an environment; links and settings are kept')
    .argument('<id>', 'env_...')
    .option('--confirm <host>', 'link host of the environment, to confirm the deletion')
    .addHelpText('after', ERASE_HELP)
    .action((id: string, options: EraseOptions) => run((output, dependencies) => eraseEnvironment(id, options, output, dependencies)));
}

const ERASE_HELP = `
Safe to stop and to run again. Visits of the last seconds may be stored after it has ended.

Example:
  linkd env erase env_01jd4v6xq8e5s0m3k7n9p2r4tw --confirm go.example.com`;

interface HostOptions {
  readonly linkHost?: string;
  readonly openHost?: string;
}

async function setHosts(
  id: string,
  options: HostOptions,
  output: Output,
  at: { readonly database: Database; readonly nowMs: number },
): Promise<void> {
  const before = await requireEnvironment(at.database, id);
  const hosts = newHosts(before, options);
  const fault =
    hosts.link_host === before.link_host && hosts.open_host === before.open_host
      ? 'name another --link-host or --open-host'
      : hostsFault([hosts.link_host, hosts.open_host]);
  if (fault !== null) throw new CommandError(fault, EXIT_USAGE);
  try {
    const obstacle = await changeHosts(at.database, { ...before, ...hosts }, at.nowMs);
    if (obstacle !== null) throw new CommandError(obstacle);
  } catch (error) {
    if (isUniqueViolation(error)) throw new CommandError('one of the hosts already belongs to another environment');
    throw error;
  }
  output.object({ id, ...hosts });
}

/** Returns the new hosts. An open host that was derived from the link host is derived from the new one. */
function newHosts(before: EnvironmentRow, { linkHost, openHost }: HostOptions) {
  const link_host = linkHost ?? before.link_host;
  const followed = before.open_host === `open.${before.link_host}` ? `open.${link_host}` : before.open_host;
  return { link_host, open_host: openHost ?? followed };
}
