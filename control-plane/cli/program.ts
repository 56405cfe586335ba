import { Command, Option } from 'commander';
import { addBlocklist } from './blocklist.js';
import { addClicks } from './clicks.js';
import { addDeliveries } from './deliveries.js';
import { addDemo } from './demo.js';
import { addDoctor } from './doctor.js';
import { addEnvironment } from './environment.js';
import { addExport } from './export.js';
import { addFigures } from './figures.js';
import { addHealth } from './health.js';
import { addImport } from './import.js';
import { addKeys } from './keys.js';
import { addListen } from './listen.js';
import { addMigrate } from './migrate.js';
import { createOutput } from './output.js';
import { addProject } from './project.js';
import type { Action, ProgramDependencies } from './run.js';
import { addSecrets } from './secrets.js';
import { addSpool } from './spool.js';
import { addTrigger } from './trigger.js';

/** The command line: a noun and a verb. */
export function buildProgram(dependencies: ProgramDependencies): Command {
  const json = new Option('--json', 'print JSON');
  const program = new Command('linkd')
    .description(
      'Commands of the link service. Commands for its operator use the database in DATABASE_URL; commands for developers use the REST API.',
    )
    .addOption(json)
    .version(dependencies.version, '--version', 'print the version')
    .showHelpAfterError('(see --help)')
    // Those of a group, such as the clicks of "linkd demo", are not options of its commands.
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: ({ parent }) => (parent === null ? [] : [json]) })
    .exitOverride()
    .configureOutput({ writeOut: dependencies.write, writeErr: dependencies.writeError });
  const run = (action: Action) => action(createOutput(program.opts<{ json?: boolean }>().json === true, dependencies.write), dependencies);
  addProject(program, run);
  addEnvironment(program, run);
  addKeys(program, run);
  addMigrate(program, run);
  addHealth(program, run);
  addDoctor(program, run);
  addDemo(program, run);
  addBlocklist(program, run);
  addImport(program, run);
  addExport(program, run);
  addSecrets(program, run);
  addListen(program, run);
  addTrigger(program, run);
  addDeliveries(program, run);
  addClicks(program, run);
  addSpool(program, run);
  addFigures(program, run);
  for (const group of program.commands.filter(({ commands }) => commands.length > 0))
    group.addHelpText('after', `\n"linkd ${group.name()} <command> --help" shows the options of a command, with an example.`);
  program.addHelpText('after', HELP);
  return program;
}

const HELP = `
Examples:
  linkd project create --name Shop --live-host go.example.com --test-host test.example.com
  linkd env show prj_01jd4v6xq8e5s0m3k7n9p2r4tw
  linkd keys create --env env_01jd4v6xq8e5s0m3k7n9p2r4tw --name backend --scope links:write analytics:read
  linkd doctor
  linkd demo
  linkd listen --forward-to http://localhost:4242/hook
  linkd trigger link.created

Exit codes: 0 done, 1 failed, 2 wrong command line, 3 not found, 4 no database or no server, 130 interrupted.`;
