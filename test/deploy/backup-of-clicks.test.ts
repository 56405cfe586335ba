import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { blocksOf, hasBackupPrograms, secondOf, startMachine } from '../support/backup-machine.js';
import { clickHouseLog, countStored, openConfiguredClickHouse, type TestClickHouse } from '../support/clickhouse.js';
import { startControlPlane } from '../support/control-plane.js';
import { readTreeFile } from '../support/source-tree.js';
import { createCountedLink, type Stack, startStack } from '../support/stack.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { createVisitor } from '../support/visitor.js';

const PAGE = 'deploy/clickhouse.md';
const BLOCKS = blocksOf(PAGE);
const POSTGRES = blocksOf('deploy/backup.md');
const SETTINGS = 'deploy/clickhouse/backups.xml';
/** The folder in SETTINGS, which the test replaces with one of its own. */
const FOLDER = '/backup/clickhouse/';

t.test('the page has exactly these named blocks of commands, and the settings name the folder of backups', async (t) => {
  t.same([...BLOCKS.keys()], ['clickhouse-full', 'clickhouse-increment', 'clickhouse-restore', 'deduplicate']);
  t.ok(readTreeFile(SETTINGS).includes(FOLDER));
});

/** ClickHouse with the page's settings. The page's commands are sent to it over HTTP. */
async function openStore(t: Test) {
  const folder = temporaryFolder(t);
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  writeFileSync(join(folder, 'backups.xml'), readTreeFile(SETTINGS).replace(FOLDER, `${backups}/`));
  const store = await openConfiguredClickHouse(t, join(folder, 'backups.xml'));
  if (store === null) return null;
  const client = join(folder, 'clickhouse-client');
  writeFileSync(client, `#!${process.execPath}\n${CLIENT}`);
  chmodSync(client, 0o755);
  const run = (name: string, variables: Readonly<Record<string, string>>) => {
    const env = { PATH: `${folder}:${process.env.PATH}`, CLICKHOUSE_URL: store.url, ...variables };
    const commands = BLOCKS.get(name) ?? 'exit 1';
    const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', commands], { env, encoding: 'utf8' });
    t.equal(status, 0, `${name}: ${stdout}${stderr}`);
  };
  return { store, run };
}

const CLIENT = `
const [, , flag, query] = process.argv;
if (flag !== '--query') throw new Error('no such flag: ' + flag);
fetch(process.env.CLICKHOUSE_URL, { method: 'POST', body: query }).then(async (answer) => {
  console.log(await answer.text());
  process.exitCode = answer.ok ? 0 : 1;
});
`;

async function visitTimes({ engine, project }: Stack, path: string, times: number): Promise<void> {
  const visitor = createVisitor(engine.port, project.linkHost);
  for (let visit = 0; visit < times; visit++) await visitor.visit(`/${path}?n=${visit}`);
  visitor.close();
}

async function untilStored(store: TestClickHouse, rows: number, ids: number): Promise<void> {
  await until(async () => (await countStored(store)).rows >= rows, `${rows} clicks`, 60_000);
  t.same(await countStored(store), { rows, ids });
}

t.test('restored clicks are complete, and clicks that PostgreSQL ships twice after its restore can be deduplicated', async (t) => {
  if (!hasBackupPrograms(t)) return;
  const opened = await openStore(t);
  if (opened === null) return;
  const { store, run } = opened;
  const machine = await startMachine(t);
  for (const name of ['keys', 'configure', 'archive', 'full']) machine.run(POSTGRES.get(name) ?? 'exit 1');
  const stack = await startStack(t, {
    databaseUrl: machine.databaseUrl,
    processes: 1,
    clickLog: clickHouseLog(store),
    environment: { CLICK_STORE: 'clickhouse', CLICKHOUSE_URL: store.url },
  });
  const { path } = await createCountedLink(stack);
  const backup = (name: string, base: string) => run('clickhouse-increment', { NAME: name, BASE: base });

  await visitTimes(stack, path, 30);
  await untilStored(store, 30, 30);
  run('clickhouse-full', { NAME: 'full-2026-11' });
  await visitTimes(stack, path, 20);
  await untilStored(store, 50, 50);
  backup('night-2026-11-24', 'full-2026-11');
  const target = await secondOf(machine);
  await visitTimes(stack, path, 25);
  await untilStored(store, 75, 75);
  backup('hour-2026-11-24T08', 'night-2026-11-24');
  machine.run('psql -d postgres -c "SELECT pg_switch_wal()"');
  await until(() => machine.run(POSTGRES.get('watch') ?? 'exit 1').match(/failed_count +\| 0/), 'the WAL in the repository');

  t.comment('PostgreSQL is restored alone: clicks that it ships again are stored twice until they are deduplicated');
  await stack.controlPlane.kill();
  for (const name of ['stop', 'restore', 'numbers']) machine.run(POSTGRES.get(name) ?? 'exit 1', { TARGET: target });
  stack.controlPlane = await startControlPlane(stack.controlPlaneOptions);
  await untilStored(store, 100, 75);
  for (const day of await days(store)) run('deduplicate', { DAY: day });
  t.same(await countStored(store), { rows: 75, ids: 75 });

  t.comment('both are restored: the backup from after the restored moment has every click');
  run('clickhouse-restore', { NAME: 'hour-2026-11-24T08' });
  t.same(await countStored(store), { rows: 75, ids: 75 });

  t.comment('ClickHouse is restored alone: it lacks later clicks, and stores new ones');
  run('clickhouse-restore', { NAME: 'night-2026-11-24' });
  t.same(await countStored(store), { rows: 50, ids: 50 });
  await visitTimes(stack, path, 10);
  await untilStored(store, 60, 60);
  run('clickhouse-restore', { NAME: 'full-2026-11' });
  t.same(await countStored(store), { rows: 30, ids: 30 });
  await visitTimes(stack, path, 10);
  await untilStored(store, 40, 40);
});

async function days({ clickHouse }: TestClickHouse): Promise<readonly string[]> {
  const rows = await clickHouse.rows<{ day: string }>('SELECT DISTINCT toString(toYYYYMMDD(occurred_at)) AS day FROM clicks');
  return rows.map(({ day }) => day);
}
