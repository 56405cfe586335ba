import { Command, Option } from 'commander';
import { isId } from '../../shared/base/ids.js';
import { SCOPES, type Scope } from '../../shared/contract/route.js';
import { type Database, isUniqueViolation } from '../db/database.js';
import { createKey, listKeys, revokeKey } from '../keys/keys.js';
import { createProject, findEnvironment, listEnvironments, listProjects, type NewProject, projectFault } from '../projects/projects.js';
import { CommandError, EXIT_NOT_FOUND, EXIT_USAGE } from './command-error.js';
import { createOutput, type Output } from './output.js';

/** What the commands work with. `database` connects when it is first asked for, so that `--help` needs none. */
export interface ProgramDependencies {
  readonly database: () => Database;
  readonly migrate: (log: (line: string) => void) => Promise<readonly string[]>;
  readonly nowMs: () => number;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

type Action = (output: Output, dependencies: ProgramDependencies) => Promise<void>;

/** The operator's command line: a noun and a verb. */
export function buildProgram(dependencies: ProgramDependencies): Command {
  const program = new Command('linkd')
    .description("Operator's commands of the link service. The database is the one of DATABASE_URL.")
    .option('--json', 'print JSON')
    .showHelpAfterError('(see --help)')
    .exitOverride()
    .configureOutput({ writeOut: dependencies.write, writeErr: dependencies.writeError });
  const run = (action: Action) => action(createOutput(program.opts<{ json?: boolean }>().json === true, dependencies.write), dependencies);
  addProject(program, run);
  addEnvironment(program, run);
  addKeys(program, run);
  addMigrate(program, run);
  program.addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 wrong command line, 3 not found, 4 no database.');
  return program;
}

type Run = (action: Action) => Promise<void>;

function addProject(program: Command, run: Run): void {
  const project = program.command('project').description('projects, each with its environments test and live');
  project
    .command('create')
    .description('make a project with its two environments')
    .requiredOption('--name <name>', 'name of the project')
    .requiredOption('--live-host <host>', 'link host of the environment live')
    .requiredOption('--test-host <host>', 'link host of the environment test')
    .option('--time-zone <zone>', 'IANA time zone that days are counted in', 'UTC')
    .option('--live-open-host <host>', 'host of the pages that open the app (default: "open." and the link host)')
    .option('--test-open-host <host>', 'the same for test')
    .addHelpText(
      'after',
      '\nExample:\n  linkd project create --name Shop --live-host go.example.com --test-host test.example.com --time-zone Europe/Berlin',
    )
    .action((options: ProjectOptions) => run((output, { database, nowMs }) => projectCreate(options, output, database(), nowMs())));
  project
    .command('list')
    .description('list the projects, newest first')
    .action(() =>
      run(async (output, { database }) =>
        output.rows(await projectRows(database()), 'There are no projects; make one with: linkd project create'),
      ),
    );
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
  const fault = projectFault(wanted);
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
    if (isUniqueViolation(error)) throw new CommandError('one of the hosts belongs to another environment already');
    throw error;
  }
}

async function projectRows(database: Database) {
  const projects = await listProjects(database);
  return Promise.all(
    projects.map(async (project) => {
      const environments = await listEnvironments(database, project.id);
      const hostOf = (name: string) => environments.find((environment) => environment.name === name)?.link_host;
      return { ...project, live_host: hostOf('live'), test_host: hostOf('test') };
    }),
  );
}

function addEnvironment(program: Command, run: Run): void {
  program
    .command('env')
    .description('environments')
    .command('show')
    .description('show an environment, or all of a project')
    .argument('<id>', 'env_... or prj_...')
    .addHelpText('after', '\nExample:\n  linkd env show prj_01jd4v6xq8e5s0m3k7n9p2r4tw')
    .action((id: string) =>
      run(async (output, { database }) => {
        if (isId('project', id)) {
          const rows = await listEnvironments(database(), id);
          if (rows.length === 0) throw new CommandError(`there is no project ${id}`, EXIT_NOT_FOUND);
          output.rows(
            rows.map((row) => ({ ...row })),
            '',
          );
          return;
        }
        output.object({ ...(await requireEnvironment(database(), id)) });
      }),
    );
}

async function requireEnvironment(database: Database, id: string) {
  const environment = isId('environment', id) ? await findEnvironment(database, id) : null;
  if (environment === null)
    throw new CommandError(`there is no environment ${id}; see: linkd project list, linkd env show <project>`, EXIT_NOT_FOUND);
  return environment;
}

function addKeys(program: Command, run: Run): void {
  const keys = program.command('keys').description('API keys');
  keys
    .command('create')
    .description('make a key; it is shown this once')
    .requiredOption('--env <id>', 'environment the key belongs to, env_...')
    .requiredOption('--name <name>', 'what the key is for')
    .addOption(
      new Option('--kind <kind>', 'secret: for servers; publishable: for apps and browsers')
        .choices(['secret', 'publishable'])
        .default('secret'),
    )
    .addOption(new Option('--scope <scope...>', 'scopes of a secret key; all where absent').choices(SCOPES))
    .addHelpText(
      'after',
      '\nExample:\n  linkd keys create --env env_01jd4v6xq8e5s0m3k7n9p2r4tw --name backend --scope links:write analytics:read',
    )
    .action((options: KeyOptions) => run((output, { database, nowMs }) => keysCreate(options, output, database(), nowMs())));
  keys
    .command('list')
    .description('list the keys of an environment, newest first')
    .requiredOption('--env <id>', 'environment, env_...')
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
    .action((id: string) =>
      run(async (output, { database }) => {
        if (!isId('key', id) || !(await revokeKey(database(), id))) throw new CommandError(`there is no key ${id}`, EXIT_NOT_FOUND);
        output.line(`revoked ${id}`);
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
  if (options.kind === 'publishable' && options.scope !== undefined) throw new CommandError('a publishable key has no scopes', EXIT_USAGE);
  const environment = await requireEnvironment(database, options.env);
  const scopes = options.scope === undefined ? {} : { scopes: [...new Set(options.scope)] };
  const wanted = { environmentId: environment.id, environment: environment.name, kind: options.kind, name: options.name, ...scopes };
  const { id, key } = await createKey(database, wanted, nowMs);
  output.object({ id, environment: environment.name, kind: options.kind, key });
}

function addMigrate(program: Command, run: Run): void {
  program
    .command('migrate')
    .description('bring the database to the newest schema; safe to run at any time, by several servers at once')
    .action(() =>
      run(async (output, { migrate, writeError }) => {
        const applied = await migrate((line) => writeError(`${line}\n`));
        output.object({ applied: applied.length === 0 ? 'nothing: the schema is the newest' : applied });
      }),
    );
}
