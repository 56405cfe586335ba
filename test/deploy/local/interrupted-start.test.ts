import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { identify } from '../../../shared/base/process-identity.js';
import { makeCertificate } from '../../support/certificates.js';
import { callApi, type LocalStartInput, postgresFolder, processesOn, startLocally } from '../../support/local-start.js';
import { readTreeFile } from '../../support/source-tree.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

/** Each start takes seconds on a machine that is busy with other tests. */
t.setTimeout(300_000);

t.test('a failed start prints one line that names the cause', async (t) => {
  const folder = temporaryFolder(t);
  const taken = createServer().listen(0, '127.0.0.1');
  t.teardown(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const { certificate, key } = makeCertificate({ names: ['a.example'] });
  const certificates = t.testdir({ 'a.pem': certificate + key });
  const cases: [Omit<LocalStartInput, 'dataDir'>, RegExp][] = [
    [{ parameters: ['--prot'] }, /^unknown parameter "--prot"; .*\n$/],
    [{ environment: { ENGINE_PORT: 'eighty' } }, /^ENGINE_PORT is malformed: .*\n$/],
    [{ environment: { WEBHOOK_THREADS: '0' } }, /^WEBHOOK_THREADS is malformed: .*\n$/],
    [
      { environment: { CONTROL_PLANE_PORT: String(port) } },
      new RegExp(`^CONTROL_PLANE_PORT ${port} on 127\\.0\\.0\\.1 is used by another process; .*\n$`),
    ],
    [
      { environment: { ENGINE_TLS_PORT: String(port), TLS_CERTIFICATES_DIR: certificates } },
      new RegExp(`^ENGINE_TLS_PORT ${port} on 127\\.0\\.0\\.1 is used by another process; .*\n$`),
    ],
    [{ environment: { TLS_CERTIFICATES_DIR: folder } }, /^TLS_CERTIFICATES_DIR cannot be used: \S+: it contains no certificate\n$/],
    [{ environment: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' } }, /^DATABASE_URL cannot be used: .*\n$/],
    [{ environment: { DATA_DIR: '/dev/null/data' } }, /^DATA_DIR \/dev\/null\/data cannot be used: \w+\n$/],
  ];
  await Promise.all(
    cases.map(async ([input, line], index) => {
      const started = startLocally(t, { dataDir: join(folder, `data-${index}`), ...input });
      t.equal(await started.ended(), 1);
      t.match(started.output(), line);
      t.equal(postgresFolder(join(folder, `data-${index}`)), null, 'no database was prepared');
    }),
  );
  const help = startLocally(t, { dataDir: join(folder, 'data'), parameters: ['--help'] });
  t.equal(await help.ended(), 0);
  t.match(help.output(), /OUTBOUND_ALLOW/);
  t.equal(existsSync(join(folder, 'data')), false, '--help makes no data folder');
});

/** The moments of a first start in their order. Each is recognised by what has been done by then, and not before. */
const MOMENTS: Readonly<Record<string, (dataDir: string) => boolean>> = {
  'it is there at all': (dataDir) => existsSync(join(dataDir, 'start.lock')),
  'the database is half made': (dataDir) => unfinished(dataDir).length > 0,
  'the database is made': (dataDir) => existsSync(join(postgresFolder(dataDir) ?? '', 'data')),
  'PostgreSQL runs': (dataDir) => existsSync(join(postgresFolder(dataDir) ?? '', 'data/postmaster.pid')),
  'keys are written': (dataDir) => existsSync(join(dataDir, 'credentials.json')),
  'processes are started': (dataDir) => existsSync(join(dataDir, 'processes')) && readdirSync(join(dataDir, 'processes')).length === 2,
};

function unfinished(dataDir: string): readonly string[] {
  const folder = postgresFolder(dataDir);
  return folder !== null && existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('unfinished-')) : [];
}

t.test('a start that is interrupted at any step stops cleanly, and the next start gets further', async (t) => {
  const folder = temporaryFolder(t);
  for (const [index, [moment, reached]] of Object.entries(MOMENTS).entries()) {
    // An interrupted start finishes a database that it has begun, so that later starts would never reach the first moments.
    const dataDir = join(folder, `data-${Math.min(index, 2)}`);
    const interrupted = startLocally(t, { dataDir });
    await until(() => reached(dataDir), moment, 90_000);
    t.equal(await interrupted.end('SIGINT'), 0, interrupted.output());
    t.strictSame(processesOn(dataDir), [], `no process runs after: ${moment}`);
  }
});

t.test('after starts that were killed at several steps, the next start serves', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  // Each start gets further than the previous one only if that has left nothing in its way.
  for (const moment of ['the database is half made', 'PostgreSQL runs', 'processes are started']) {
    const killed = startLocally(t, { dataDir });
    await until(() => MOMENTS[moment]?.(dataDir), moment, 90_000);
    t.equal(await killed.end('SIGKILL'), 'SIGKILL');
  }
  const next = startLocally(t, { dataDir });
  const credentials = await next.serving();
  const made = await callApi(credentials, '/links', { path: 'after', deep_link_path: '/' });
  t.equal(made.status, 201);
  t.equal(await next.end('SIGINT'), 0);
  t.strictSame(processesOn(dataDir), []);
});

t.test('a signal to npm alone reaches the service, and npm waits for its end', async (t) => {
  const folder = temporaryFolder(t);
  const { scripts } = JSON.parse(readTreeFile('package.json')) as { readonly scripts: { readonly start: string } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts: { start: scripts.start } }));
  mkdirSync(join(folder, 'dist/deploy/local'), { recursive: true });
  writeFileSync(
    join(folder, 'dist/deploy/local/main.js'),
    `process.on('SIGTERM', () => { console.log('stopping'); setTimeout(() => process.exit(), 500); });
     setInterval(() => {}, 1000);
     console.log('running', process.pid);`,
  );
  const npm = spawn('npm', ['--silent', 'start'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  const running = new Promise<void>((resolve) => {
    npm.stdout.on('data', (chunk) => {
      said += chunk;
      if (said.includes('running')) resolve();
    });
  });
  await running;
  const pid = Number(/running (\d+)/.exec(said)?.[1]);
  t.teardown(() => identify(pid) !== null && process.kill(pid, 'SIGKILL'));
  const ended = once(npm, 'exit');
  npm.kill('SIGTERM');
  await ended;
  t.match(said, /stopping/);
  t.equal(identify(pid), null, 'the service has ended before npm');
});
