import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { keepHeapTrimmed } from '../shared/base/c-heap.js';
import { systemClock } from '../shared/base/clock.js';
import { tryPort } from '../shared/base/free-port.js';
import { systemLater } from '../shared/base/later.js';
import { DRAIN_DEADLINE_MS } from '../shared/base/limits.js';
import { createLogger, type Logger } from '../shared/base/log.js';
import { describeSettings, readSettings, SettingError } from '../shared/base/settings.js';
import { parseSecretKeys } from '../shared/secrets/seal.js';
import { type AdminServer, startAdminServer } from './http/admin.js';
import { type HealthReport, LIVE_DEADLINE_MS, readiness, serves } from './http/health.js';
import { MetricsPage } from './http/metrics.js';
import { backgroundEnvironment, CHILD_ENVIRONMENT, type EngineReady, redirectNodeOptions } from './process-messages.js';
import { type EngineSettings, engineSettings } from './settings.js';
import { attentiveClock } from './supervisor/attentive-clock.js';
import { createFork } from './supervisor/fork.js';
import { type LockOutcome, takeLock } from './supervisor/instance-lock.js';
import { chooseListener, type ListenerChoice, uwsLoads } from './supervisor/listener-choice.js';
import { openRoster, outliveOrphans, type Roster } from './supervisor/roster.js';
import { createStoreSuspicion } from './supervisor/store-suspicion.js';
import { type Role, Supervisor } from './supervisor/supervisor.js';
import { CertificateSource } from './tls/certificate-source.js';

const TICK_MS = 250;
/** npm hands on a Ctrl-C that the terminal has sent to this process too: what follows so closely is one and the same. */
const SECOND_SIGINT_MS = 1_000;
const BACKGROUND = 'background';

/** Fit to be printed as it is before the process ends. */
class StartError extends Error {
  override readonly name = 'StartError';
}

const HELP = `Answers the link hosts: redirect processes, and one that keeps their store and ships their clicks.

  node dist/engine/main.js

SIGTERM, SIGINT   finish what is under way, then end; a second SIGINT ends at once
SIGUSR2, SIGHUP   replace every process, one after the other, without closing the port

Settings are environment variables:
`;

interface LinkHostPorts {
  readonly port: number;
  /** 0 where no certificates are set. */
  readonly tlsPort: number;
}

/** The ports as the children get them: free ones are picked here, since a socket bound to port 0 cannot be shared. */
async function choosePorts({ host, port, tlsPort, tlsCertificatesDir }: EngineSettings, orphansLeft: boolean): Promise<LinkHostPorts> {
  const choose = async (setting: string, wanted: number): Promise<number> => {
    // Those that a killed supervisor left behind may still hold it; they share it, and close it at once.
    if (wanted !== 0 && orphansLeft) return wanted;
    const binding = await tryPort(host, wanted);
    if (binding.taken) throw new StartError(`${setting} ${wanted} on ${host} cannot be had: ${binding.reason}`);
    return binding.port;
  };
  return {
    port: await choose(engineSettings.port.name, port),
    tlsPort: tlsCertificatesDir === '' ? 0 : await choose(engineSettings.tlsPort.name, tlsPort),
  };
}

/** A folder of certificates that is of no use at all stops the start; later on the processes keep what they had. */
async function checkCertificates({ tlsCertificatesDir }: EngineSettings, log: Logger): Promise<void> {
  if (tlsCertificatesDir === '') return;
  const source = new CertificateSource({ dir: tlsCertificatesDir, clock: systemClock, later: systemLater, log });
  await source.start(() => {});
  source.stop();
  if (source.current === null) throw new StartError(`TLS_CERTIFICATES_DIR is of no use: ${source.trouble()}`);
}

function rolesOf(listener: ListenerChoice, ports: LinkHostPorts, log: Logger, roster: Roster): Role[] {
  const entry = (name: string) => fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  const environment = {
    ...process.env,
    [engineSettings.port.name]: String(ports.port),
    [engineSettings.tlsPort.name]: String(ports.tlsPort),
    [engineSettings.listener.name]: listener.kind,
  };
  const redirectEnvironment = { ...environment, NODE_OPTIONS: redirectNodeOptions(process.env.NODE_OPTIONS) };
  const redirects = Array.from(
    { length: listener.processes },
    (_, slot): Role => ({
      name: `redirect-${slot}`,
      order: listener.sharesPort ? 'successor-first' : 'predecessor-first',
      knowsHosts: true,
      hearsOfAll: false,
      fork: createFork({
        entry: entry('redirect'),
        environment: { ...redirectEnvironment, [CHILD_ENVIRONMENT.slot]: String(slot) },
        log,
        roster,
      }),
    }),
  );
  const background: Role = {
    name: BACKGROUND,
    order: 'predecessor-first',
    knowsHosts: false,
    hearsOfAll: true,
    fork: createFork({ entry: entry('background'), environment: backgroundEnvironment(environment), log, roster }),
  };
  return [...redirects, background];
}

/** What the supervisor itself counts, in the shape its children report theirs in. */
function supervisorMetrics(supervisor: Supervisor): unknown {
  const processes = supervisor.status();
  return [
    {
      name: 'engine_process_restarts_total',
      help: 'Processes started because their predecessor had ended unasked',
      type: 'counter',
      values: processes.map(({ name, restarts }) => ({ value: restarts, labels: { slot: name } })),
    },
    {
      name: 'engine_process_serving',
      help: 'Whether the process serves and reports',
      type: 'gauge',
      values: processes.map((status) => ({ value: serves(status) ? 1 : 0, labels: { slot: status.name } })),
    },
  ];
}

async function run(settings: EngineSettings): Promise<void> {
  const log = createLogger('engine', settings.logLevel);
  keepHeapTrimmed();
  const home = join(resolve(settings.dataDir), 'engine');
  const lock = lockHome(home, settings);
  if (lock.outcome === 'taken') throw new StartError(`another engine (process ${lock.by.pid}) runs on ${home}`);
  process.on('exit', () => lock.release());
  warnOfSettings(settings, log);
  const roster = openRoster(join(home, 'run'));
  const orphans = roster.orphans();
  await checkCertificates(settings, createLogger('engine', 'silent'));
  const [listener, ports] = await Promise.all([chooseListener(settings, uwsLoads, log), choosePorts(settings, orphans.length > 0)]);
  const clock = attentiveClock(() => performance.now(), 4 * TICK_MS);
  const page = new MetricsPage();
  const supervisor = new Supervisor({
    roles: rolesOf(listener, ports, log, roster),
    clock: clock.now,
    random: Math.random,
    later: systemLater,
    log,
    onMetrics: (name, pid, metrics) => page.report(name, pid, metrics),
    onGone: (name, pid) => page.retire(name, pid),
    onStoreSuspected: createStoreSuspicion(settings.dataDir, log),
  });

  let servedAtMs = clock.now();
  const live = (): HealthReport => {
    const ok = clock.now() - servedAtMs < LIVE_DEADLINE_MS;
    return { status: ok ? 'ok' : 'failing', parts: [{ part: 'engine', ok, reason: ok ? '' : 'no redirect process serves' }] };
  };
  const admin = await openAdmin(settings, {
    live,
    ready: () => readiness(supervisor.status()),
    metrics: () => {
      page.report('main', process.pid, supervisorMetrics(supervisor));
      return page.render();
    },
    knowsHost: (host) => supervisor.knowsHost(host),
  });

  let announced = false;
  const tick = () => {
    clock.tick();
    supervisor.tick();
    const redirects = supervisor.status().filter(({ name }) => name !== BACKGROUND);
    if (redirects.some(serves)) servedAtMs = clock.now();
    if (announced || !redirects.every(({ mode }) => mode === 'serving')) return;
    announced = true;
    const message: EngineReady = { type: 'ready', port: ports.port, tls_port: ports.tlsPort, admin_port: admin.port };
    log.info({ port: ports.port, tls_port: ports.tlsPort, admin_port: admin.port }, 'engine serves');
    if (process.connected) process.send?.(message);
  };
  const ticking = setInterval(tick, TICK_MS);

  let stopping = false;
  const stop = async (why: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ why }, 'engine drains');
    await supervisor.stop();
    clearInterval(ticking);
    await admin.stop();
    log.info('engine stopped');
    // An IPC channel to a parent would keep this process alive.
    if (process.connected) process.disconnect();
  };
  // Before there are children: a signal that finds no listener would end this process and leave them behind.
  listenForSignals(supervisor, stop, () => stopping);

  for (const { name } of supervisor.status()) if (name !== BACKGROUND) supervisor.start(name);
  // Two processes that ship one spool and write one store would get into each other's way: the new one comes when the old one is gone.
  void outliveOrphans({ orphans, deadlineMs: DRAIN_DEADLINE_MS, pollMs: 100, sleep }).then((killed) => {
    if (killed > 0) log.warn({ killed }, 'processes of a killed engine did not end by themselves and were killed');
    supervisor.start(BACKGROUND);
  });
}

/** Settings that are well-formed, and yet not what the operator can have meant. */
function warnOfSettings({ countryHeader, trustedProxyHops, trustedProxies }: EngineSettings, log: Logger): void {
  if (countryHeader !== '' && trustedProxyHops === 0 && trustedProxies === null)
    log.warn('COUNTRY_HEADER is ignored: it needs TRUSTED_PROXIES or TRUSTED_PROXY_HOPS, or anybody could name a country');
}

function listenForSignals(supervisor: Supervisor, stop: (why: string) => Promise<void>, isStopping: () => boolean): void {
  process.on('SIGTERM', () => void stop('SIGTERM'));
  let interruptedAtMs = performance.now();
  process.on('SIGINT', () => {
    if (isStopping() && performance.now() - interruptedAtMs > SECOND_SIGINT_MS) supervisor.kill('SIGINT came twice');
    if (!isStopping()) interruptedAtMs = performance.now();
    void stop('SIGINT');
  });
  process.on('SIGUSR2', () => void supervisor.rollingRestart());
  // For a daemon the signal means "reload". From a terminal it means that the operator has gone.
  process.on('SIGHUP', () => void (process.stdin.isTTY ? stop('SIGHUP') : supervisor.rollingRestart()));
  // Started by another program with a channel to it: without that program there is nobody left to stop this one.
  process.on('disconnect', () => void stop('the parent process is gone'));
}

function lockHome(home: string, { dataDir }: EngineSettings): LockOutcome {
  try {
    return takeLock(join(home, 'lock'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new StartError(`DATA_DIR ${dataDir} cannot be used: ${code}`);
  }
}

async function openAdmin(settings: EngineSettings, pages: Parameters<typeof startAdminServer>[0]): Promise<AdminServer> {
  try {
    return await startAdminServer(pages, settings.adminHost, settings.adminPort);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new StartError(`ENGINE_ADMIN_PORT ${settings.adminPort} on ${settings.adminHost} cannot be had: ${code}`);
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/** The settings, or null where help was asked for and printed. */
function readArguments(): EngineSettings | null {
  try {
    const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } }, strict: true });
    if (values.help) {
      console.log(HELP + describeSettings([engineSettings]));
      return null;
    }
  } catch (error) {
    throw new StartError((error as Error).message);
  }
  const settings = readSettings(engineSettings, process.env);
  // Checked here, where a fault is one line and an end, and not in a child, where it would be a crash loop.
  parseSecretKeys(settings.secretsKeys);
  return settings;
}

try {
  const settings = readArguments();
  if (settings !== null) await run(settings);
} catch (error) {
  if (!(error instanceof StartError) && !(error instanceof SettingError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
