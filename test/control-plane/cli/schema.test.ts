import type { Command } from 'commander';
import t, { type Test } from 'tap';
import { buildProgram } from '../../../control-plane/cli/program.js';
import type { ProgramDependencies } from '../../../control-plane/cli/run.js';
import { createPool } from '../../../control-plane/db/database.js';
import { withClient } from '../../../deploy/local/with-client.js';
import { createDatabase } from '../../support/database.js';
import { TEST_SECRETS_KEYS } from '../../support/engine.js';
import { commandLine } from './command-line.js';

const ENVIRONMENT = 'env_01jd4v6xq8e5s0m3k7n9p2r4tw';
const PROJECT = 'prj_01jd4v6xq8e5s0m3k7n9p2r4tw';
const SPAN = '--from 2026-11-01 --to 2026-11-02';

/** Every command that reads or writes the database, except `migrate`, and `doctor`, which reports a database of any state. */
function databaseCommands(t: Test): readonly string[] {
  const folder = t.testdir({ hosts: '0.0.0.0 ads.example\n', links: 'url\n', hashes: '0123456789abcdef\n' });
  return [
    'project create --name Shop --live-host go.example.com --test-host test.example.com',
    'project list',
    `project show ${PROJECT}`,
    `project delete ${PROJECT} --confirm Shop`,
    `env show ${ENVIRONMENT}`,
    `env show ${PROJECT}`,
    `env set-hosts ${ENVIRONMENT} --link-host go.example.com`,
    `env erase ${ENVIRONMENT} --confirm go.example.com`,
    `keys create --env ${ENVIRONMENT} --name backend`,
    `keys list --env ${ENVIRONMENT}`,
    'keys revoke key_01jd4v6xq8e5s0m3k7n9p2r4tw',
    'health',
    'demo',
    'demo remove',
    'demo serve',
    `blocklist import ${folder}/hosts --format hosts --name ads`,
    'blocklist list',
    'blocklist remove ads',
    'blocklist unblock lnk_01jd4v6xq8e5s0m3k7n9p2r4tw',
    `import csv --file ${folder}/links --env ${ENVIRONMENT}`,
    `import campaigns --file ${folder}/links --env ${ENVIRONMENT}`,
    `export links --env ${ENVIRONMENT} --format csv`,
    `export campaigns --env ${ENVIRONMENT} --format csv`,
    `export clicks --env ${ENVIRONMENT} ${SPAN} --format csv`,
    'secrets rotate',
    `clicks audit ${SPAN}`,
    `clicks export --env ${ENVIRONMENT} ${SPAN} --format csv`,
    `clicks reclassify ${SPAN} --ua Scanner`,
    `clicks reclassify ${SPAN} --address-hashes ${folder}/hashes`,
    `spool ship --dir ${folder}`,
    'figures rebuild',
  ];
}

/** Commands that work over the REST API, work with any schema, or, like `clicks copy`, need ClickHouse. */
const OTHERS = ['doctor', 'migrate', 'listen', 'trigger', 'deliveries tail', 'clicks copy'];

/** The names of the commands at the ends of the tree. */
function namesBelow(command: Command, name = ''): readonly string[] {
  if (command.commands.length === 0) return [name];
  return command.commands.flatMap((below) => namesBelow(below, `${name} ${below.name()}`.trimStart()));
}

t.test('every command is in the list of those that use the database, or is known not to', async (t) => {
  const program = buildProgram({ version: '0.0.0', write: () => {}, writeError: () => {} } as unknown as ProgramDependencies);
  const listed = [...databaseCommands(t), ...OTHERS];
  t.strictSame(
    namesBelow(program).filter((name) => !listed.some((line) => line === name || line.startsWith(`${name} `))),
    [],
  );
});

t.test('before the migrations have run, every command of the database prints one line that names them', async (t) => {
  const own = await createDatabase();
  t.teardown(() => own.drop());
  await withClient(own.url, (client) => client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public'));
  const { run } = commandLine(t, own.url, TEST_SECRETS_KEYS);
  for (const command of databaseCommands(t)) {
    const { status, stderr } = await run(command);
    t.equal(status, 1, command);
    t.match(stderr, /^linkd: migrations have not run yet; run "linkd migrate": 0001_\S+.*\n$/, command);
  }
});

t.test('a command that does not understand the schema of a newer release says so', async (t) => {
  const own = await createDatabase();
  t.teardown(() => own.drop());
  const pool = createPool(own.url, 1, 'test', () => {});
  t.teardown(() => pool.end());
  const { run } = commandLine(t, own.url);
  await pool.query('ALTER TABLE projects RENAME COLUMN time_zone TO zone');
  t.match(await run('project list'), { status: 1, stderr: /^error: column .*\n(.*\n)* {4}at / }, 'a bug has its stack');
  await pool.query("INSERT INTO schema_migrations (name, run_on) VALUES ('9999_zone', now())");
  t.match(await run('project list'), {
    status: 1,
    stderr: /^linkd: the schema is that of a newer release; run "linkd" of that release: 9999_zone\n$/,
  });
});
