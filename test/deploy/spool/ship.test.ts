import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { isReadableSegment } from '../../../engine/spool/segment-folder.js';
import { commandLine } from '../../control-plane/cli/command-line.js';
import { startEngine, TEST_SECRETS_KEYS } from '../../support/engine.js';
import { createCountedLink, type Stack, startStack, untilReplicated } from '../../support/stack.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';
import { createVisitor } from '../../support/visitor.js';

const LINKD = fileURLToPath(new URL('../../../../control-plane/cli/linkd.mjs', import.meta.url));
/** The numbers of visits before the engine loses the database, and after. */
const [BEFORE, AFTER] = [150, 350];

interface LostHost {
  readonly stack: Stack;
  /** The data folder that is left of the host. */
  readonly dataDir: string;
  readonly spool: string;
  /** The rows of the log, and the numbers of different ids and paths among them. */
  counts(): Promise<{ rows: number; ids: number; paths: number }>;
}

/** An engine that has shipped a part of its clicks, then loses the database, continues, and is killed with all its processes. */
async function loseHost(t: Test): Promise<LostHost> {
  const stack = await startStack(t, { processes: 1 });
  const { path } = await createCountedLink(stack);
  await untilReplicated(stack);
  await stack.engine.stop();
  const url = new URL(stack.databaseUrl);
  const proxy = await TcpProxy.to(t, { host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  const dataDir = temporaryFolder(t);
  const engine = await startEngine({ ...stack.engineOptions, dataDir, databaseUrl: url.href });
  await engine.whenReady();
  const visitor = createVisitor(engine.port, stack.project.linkHost);
  const visit = async (times: number) => {
    for (let visit = 0; visit < times; visit++) t.equal((await visitor.visit(`/${path}?n=${visit}`)).status, 302);
  };
  const counts = async () => {
    const [row] = await stack.rows<{ rows: number; ids: number; paths: number }>(
      'SELECT count(*)::integer AS rows, count(DISTINCT id)::integer AS ids, count(address_hash)::integer AS paths FROM clicks',
    );
    return row as { rows: number; ids: number; paths: number };
  };
  await visit(BEFORE);
  await until(async () => (await counts()).rows === BEFORE, 'the first clicks in the click log');
  await proxy.cut();
  await visit(AFTER);
  visitor.close();
  const pids = [...(await engine.pids()).values()];
  engine.child.kill('SIGKILL');
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await engine.ended();
  return { stack, dataDir, spool: join(dataDir, 'spool'), counts };
}

const segmentsOf = (dir: string) => readdirSync(dir).filter((name) => isReadableSegment(name) || name.includes('.shipped'));

t.test(
  'clicks that a killed engine had not shipped are stored once, although the command is killed, repeated and run on copies',
  async (t) => {
    const { stack, dataDir, spool, counts } = await loseHost(t);
    t.same(await counts(), { rows: BEFORE, ids: BEFORE, paths: BEFORE });
    const copies = [1, 2].map((number) => {
      const copy = join(temporaryFolder(t), `copy-${number}`, 'spool');
      cpSync(spool, copy, { recursive: true });
      return copy;
    });
    const { run, json } = commandLine(t, stack.databaseUrl, TEST_SECRETS_KEYS);
    t.match(await run(['spool', 'ship', '--dir', dataDir]), { status: 1, stderr: /is a DATA_DIR; pass --dir .*\/spool/ });

    // This run is killed at some moment. Then it is started again, while another run works on a copy.
    const killed = spawn(process.execPath, [LINKD, 'spool', 'ship', '--dir', spool], {
      env: { PATH: process.env.PATH, DATABASE_URL: stack.databaseUrl, SECRETS_KEYS: TEST_SECRETS_KEYS },
      stdio: 'ignore',
    });
    const ended = once(killed, 'exit');
    await until(async () => (await counts()).rows > BEFORE || killed.exitCode !== null, 'the first run to store a click', 60_000);
    killed.kill('SIGKILL');
    await ended;
    const [first, second] = await Promise.all([
      json(['spool', 'ship', '--dir', spool]),
      json(['spool', 'ship', '--dir', copies[0] as string]),
    ]);
    t.match([first.status, second.status], [0, 0], first.stderr + second.stderr);
    t.same(
      await counts(),
      { rows: BEFORE + AFTER, ids: BEFORE + AFTER, paths: BEFORE },
      'every click is stored once, and recovered clicks have no address hash',
    );
    t.match(await json(['spool', 'ship', '--dir', copies[1] as string]), {
      status: 0,
      value: { clicks: 0, refused: 0, quarantined: 0, left: 0 },
    });
    t.same((await counts()).rows, BEFORE + AFTER);
    for (const dir of [spool, ...copies]) t.same(segmentsOf(dir), [], 'stored segments are removed');
    t.match(await json(['spool', 'ship', '--dir', spool]), { status: 0, value: { clicks: 0, segments: 0 } }, 'an empty spool is no error');
  },
);

t.test('the command refuses the spool of a running engine, and one whose stored files are older than the database remembers', async (t) => {
  const stack = await startStack(t, { processes: 1 });
  const { run } = commandLine(t, stack.databaseUrl, TEST_SECRETS_KEYS);
  t.match(await run(['spool', 'ship', '--dir', join(stack.engineOptions.dataDir, 'spool')]), {
    status: 1,
    stderr: /the engine with the process \d+ is running on/,
  });
  const old = join(temporaryFolder(t), 'spool');
  mkdirSync(old);
  const file = join(old, '01jd4v6xq8e5s0m3k7n9p2r4tw.shipped2');
  writeFileSync(file, '');
  const week = Date.now() / 1000 - 7 * 86_400;
  utimesSync(file, week, week);
  t.match(await run(['spool', 'ship', '--dir', old]), { status: 1, stderr: /stored more than six days ago/ });
  t.match(await run(['spool', 'ship', '--dir', join(old, 'nowhere')]), { status: 3, stderr: /there is no folder/ });
  t.match(await commandLine(t, 'postgres://postgres@127.0.0.1:1/none', TEST_SECRETS_KEYS).run(['spool', 'ship', '--dir', old]), {
    status: 4,
    stderr: /cannot be reached/,
  });
});
