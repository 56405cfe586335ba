import type { Command } from 'commander';
import { isId } from '../../shared/base/ids.js';
import type { Database } from '../db/database.js';
import {
  createProject,
  type EnvironmentRow,
  findProject,
  HostTakenError,
  listEnvironments,
  listProjects,
  type NewProject,
  type ProjectRow,
  projectFault,
} from '../projects/projects.js';
import { CommandError, EXIT_NOT_FOUND, EXIT_USAGE } from './command-error.js';
import { deleteProject, type EraseOptions } from './erase.js';
import { hostArgument } from './host-argument.js';
import type { Output } from './output.js';
import type { Run } from './run.js';

export function addProject(program: Command, run: Run): void {
  const project = program.command('project').description('manage projects, each with its environments test and live');
  project
    .command('create')
    .description('create a project with its two environments')
    .requiredOption('--name <name>', 'name of the project')
    .requiredOption('--live-host <host>', 'link host of the environment live', hostArgument)
    .requiredOption('--test-host <host>', 'link host of the environment test', hostArgument)
    .option('--time-zone <zone>', 'IANA time zone in which the days of clicks are counted', 'UTC')
    .option('--live-open-host <host>', 'host of the pages that open the app (default: "open." before the link host)', hostArgument)
    .option('--test-open-host <host>', 'host of the pages that open the app in test', hostArgument)
    .addHelpText(
      'after',
      '\nExample:\n  linkd project create --name Shop --live-host go.example.com --test-host test.example.com --time-zone Europe/Berlin',
    )
    .action((options: ProjectOptions) => run((output, { database, nowMs }) => projectCreate(options, output, database(), nowMs())));
  project
    .command('list')
    .description('list the projects, newest first')
    .addHelpText('after', '\nExample:\n  linkd project list --json')
    .action(() =>
      run(async (output, { database }) =>
        output.rows(await projectRows(database()), 'There are no projects; create one with: linkd project create'),
      ),
    );
  project
    .command('show')
    .description('show a project and its environments')
    .argument('<id>', 'prj_...')
    .addHelpText('after', '\nExample:\n  linkd project show prj_01jd4v6xq8e5s0m3k7n9p2r4tw')
    .action((id: string) => run((output, { database }) => projectShow(id, output, database())));
  project
    .command('delete')
    .description('delete a project, its environments, and everything that belongs to them; the command can be stopped and repeated')
    .argument('<id>', 'prj_...')
    .option('--confirm <name>', 'name of the project, to confirm the deletion')
    .addHelpText('after', '\nExample:\n  linkd project delete prj_01jd4v6xq8e5s0m3k7n9p2r4tw --confirm Shop')
    .action((id: string, options: EraseOptions) => run((output, dependencies) => deleteProject(id, options, output, dependencies)));
}

async function projectShow(id: string, output: Output, database: Database): Promise<void> {
  const project = isId('project', id) ? await findProject(database, id) : null;
  if (project === null) throw new CommandError(`there is no project ${id}; see: linkd project list`, EXIT_NOT_FOUND);
  output.object(projectRow(project, await listEnvironments(database, id)));
}

interface ProjectOptions {
  readonly name: string;
  readonly liveHost: string;
  readonly testHost: string;
  readonly timeZone: string;
  readonly liveOpenHost?: string;
  readonly testOpenHost?: string;
}

async function projectCreate(options: ProjectOptions, output: Output, database: Database, nowMs: number): Promise<void> {
  const hosts = (linkHost: string, openHost: string | undefined) => ({ linkHost, ...(openHost === undefined ? {} : { openHost }) });
  const wanted: NewProject = {
    name: options.name,
    timeZone: options.timeZone,
    hosts: { live: hosts(options.liveHost, options.liveOpenHost), test: hosts(options.testHost, options.testOpenHost) },
  };
  const fault = await projectFault(database, wanted);
  if (fault !== null) throw new CommandError(fault, EXIT_USAGE);
  try {
    const { id, environments } = await createProject(database, wanted, nowMs);
    output.object({
      id,
      name: wanted.name,
      time_zone: wanted.timeZone,
      live_environment: environments.live.id,
      test_environment: environments.test.id,
    });
  } catch (error) {
    if (error instanceof HostTakenError) throw new CommandError(error.message);
    throw error;
  }
}

async function projectRows(database: Database) {
  const projects = await listProjects(database);
  return Promise.all(projects.map(async (project) => projectRow(project, await listEnvironments(database, project.id))));
}

function projectRow(project: ProjectRow, environments: readonly EnvironmentRow[]) {
  const of = (name: string) => environments.find((environment) => environment.name === name);
  const [live, test] = [of('live'), of('test')];
  return {
    ...project,
    live_environment: live?.id,
    live_host: live?.link_host,
    test_environment: test?.id,
    test_host: test?.link_host,
  };
}
