import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { keepHeapTrimmed } from '../shared/base/c-heap.js';
import { tryPort } from '../shared/base/free-port.js';
import { DRAIN_DEADLINE_MS } from '../shared/base/limits.js';
import { createLogger, type Logger } from '../shared/base/log.js';
import { keepFilesPrivate, openPrivateFolder } from '../shared/base/private-files.js';
import type { ProcessIdentity } from '../shared/base/process-identity.js';
import { type LockOutcome, lockHolder, takeLock } from '../shared/base/process-lock.js';
import { withSecretsOfFiles } from '../shared/base/secret-files.js';
import { describeSettings, readSettings, SettingError } from '../shared/base/settings.js';
import { chosenClickHouse } from '../shared/clickhouse/chosen-store.js';
import { parseSecretKeys } from '../shared/secrets/seal.js';
import { checkCountryFile } from './countries/country-database.js';
import { MainProcess } from './main-process.js';
import { BACKGROUND, type LinkHostPorts, processSpecs } from './process-specs.js';
import { type EngineSettings, engineFolder, engineLock, engineSettings, rolesInForce } from './settings.js';
import { StartError } from './start-error.js';
import { copyFolderName } from './store/copies.js';
import { chooseListener, uwsLoads } from './supervisor/listener-choice.js';
import { openPidfile, outliveStaleProcesses, type Pidfile } from './supervisor/pidfile.js';
import { takeOver } from './supervisor/take-over.js';
import { checkCertificates } from './tls/check-certificates.js';

/** The terminal sends Ctrl-C to this process, and npm forwards it as well, so a second signal this soon after the first is the same one. */
const SECOND_SIGINT_MS = 1_000;
/** Folders of DATA_DIR that the engine's processes create. */
const DATA_FOLDERS = ['engine', 'spool', copyFolderName()];

const HELP = `Answers the link hosts: redirect processes, and one that keeps their store and ships their clicks.

  node dist/engine/main.js [--take-over]

--take-over       take the place of the engine that runs on DATA_DIR, of whatever release: that one serves until this one
                  can, and then ends; without one it is a start like any other

SIGTERM, SIGINT   finish what is under way, then end; a second SIGINT ends at once
SIGUSR2, SIGHUP   replace every process by one of the same release, one after the other, without closing the port

Settings are environment variables:
`;

/** Returns the ports for the children. Free ports are chosen here, because a socket that is bound to port 0 cannot be shared. */
async function choosePorts(settings: EngineSettings, areShared: boolean): Promise<LinkHostPorts> {
  const { roles, host, port, tlsPort, tlsCertificatesDir } = settings;
  if (!roles.includes('redirect')) return { port: 0, tlsPort: 0 };
  refuseOnePortForTwo(settings);
  const choose = async (setting: string, wanted: number): Promise<number> => {
    // The engine to be replaced, or processes left behind by a killed supervisor, may still hold it. They share it.
    if (wanted !== 0 && areShared) return wanted;
    const binding = await tryPort(host, wanted);
    if (binding.taken) throw new StartError(`${setting} ${wanted} on ${host} cannot be used: ${binding.reason}`);
    return binding.port;
  };
  return {
    port: await choose(engineSettings.port.name, port),
    tlsPort: tlsCertificatesDir === '' ? 0 : await choose(engineSettings.tlsPort.name, tlsPort),
  };
}

/** Two listeners of one engine would take the port from each other, and processes would end and be started again without end. */
function refuseOnePortForTwo({ host, adminHost, port, adminPort, tlsPort, tlsCertificatesDir }: EngineSettings): void {
  const uses = [
    { setting: engineSettings.port.name, host, port },
    ...(tlsCertificatesDir === '' ? [] : [{ setting: engineSettings.tlsPort.name, host, port: tlsPort }]),
    { setting: engineSettings.adminPort.name, host: adminHost, port: adminPort },
  ].filter((use) => use.port !== 0);
  for (const [index, use] of uses.entries()) {
    const other = uses.slice(0, index).find((earlier) => earlier.port === use.port && haveOneAddress(earlier.host, use.host));
    if (other !== undefined) throw new StartError(`${use.setting} and ${other.setting} are both ${use.port}; set another port`);
  }
}

function haveOneAddress(one: string, other: string): boolean {
  return one === other || [one, other].some((host) => host === '0.0.0.0' || host === '::');
}

async function run({ settings, replaces }: Start): Promise<void> {
  const log = createLogger('engine', settings.logLevel);
  keepFilesPrivate();
  keepHeapTrimmed();
  const predecessor = replaces ? lockHolder(engineLock(resolve(settings.dataDir))) : null;
  if (predecessor === null) holdLock(settings);
  warnOfSettings(settings, log);
  const pidfile = openPidfile(join(engineFolder(resolve(settings.dataDir)), 'run'));
  const staleProcesses = predecessor === null ? pidfile.staleProcesses() : [];
  await checkCertificates(settings.tlsCertificatesDir);
  const [listener, ports] = await Promise.all([
    chooseListener(settings, uwsLoads, log),
    choosePorts(settings, predecessor !== null || staleProcesses.length > 0),
  ]);
  const processes = processSpecs({ roles: rolesInForce(settings), listener, ports, log, pidfile });
  const main = new MainProcess({ settings, log, ports, processes });
  // The port belongs to the predecessor until that has ended.
  if (predecessor === null) await main.openAdmin();
  main.begin();
  // Before there are children: without a listener, a signal would end this process and leave the children behind.
  listenForSignals(main);
  if (predecessor === null) startAll(main, staleProcesses, log);
  else await replace({ predecessor, main, sharesPort: listener.sharesPort, settings, pidfile, log });
}

function startAll(main: MainProcess, staleProcesses: readonly ProcessIdentity[], log: Logger): void {
  for (const name of main.redirects()) main.supervisor.start(name);
  // Two processes must not work on the same spool and store, so the new one starts when the old one has ended.
  void outlive(staleProcesses, log).then(() => main.supervisor.start(BACKGROUND));
}

async function outlive(staleProcesses: readonly ProcessIdentity[], log: Logger): Promise<void> {
  const killed = await outliveStaleProcesses({ staleProcesses, deadlineMs: DRAIN_DEADLINE_MS, pollMs: 100, sleep });
  if (killed > 0) log.warn({ code: 'orphans_killed', killed }, 'processes of a killed engine did not stop and were killed');
}

interface Replacement {
  readonly predecessor: ProcessIdentity;
  readonly main: MainProcess;
  /** Whether the redirect processes of both engines can listen at the same time. */
  readonly sharesPort: boolean;
  readonly settings: EngineSettings;
  readonly pidfile: Pidfile;
  readonly log: Logger;
}

/** Replaces the running engine with this one. */
async function replace({ predecessor, main, sharesPort, settings, pidfile, log }: Replacement): Promise<void> {
  const { supervisor } = main;
  const taken = await takeOver({
    predecessor,
    background: BACKGROUND,
    redirects: main.redirects(),
    sharesPort,
    start: (name) => supervisor.start(name),
    status: () => supervisor.status(),
    stopping: () => main.stopping,
    log,
    sleep,
  });
  if (!taken) return;
  try {
    holdLock(settings);
    // If the predecessor was killed, its processes may still run.
    const own = new Set(supervisor.status().map(({ pid }) => pid));
    void outlive(
      pidfile.staleProcesses().filter(({ pid }) => !own.has(pid)),
      log,
    );
    await main.openAdmin();
  } catch (error) {
    await main.stop('it cannot take over');
    throw error;
  }
}

/** Settings that are valid, but cannot be what the operator wants. */
function warnOfSettings(settings: EngineSettings, log: Logger): void {
  const { countryHeader, regionHeader, cityHeader, trustedProxyHops, trustedProxies } = settings;
  if (countryHeader === '' && (regionHeader !== '' || cityHeader !== ''))
    log.warn({ code: 'place_headers_ignored' }, 'REGION_HEADER and CITY_HEADER are ignored: they need COUNTRY_HEADER');
  if (countryHeader !== '' && trustedProxyHops === 0 && trustedProxies === null)
    log.warn(
      { code: 'country_header_ignored' },
      'COUNTRY_HEADER is ignored: set TRUSTED_PROXIES or TRUSTED_PROXY_HOPS, otherwise every client could set the country',
    );
}

function listenForSignals(main: MainProcess): void {
  const { supervisor } = main;
  process.on('SIGTERM', () => void main.stop('SIGTERM'));
  let interruptedAtMs = performance.now();
  process.on('SIGINT', () => {
    if (main.stopping && performance.now() - interruptedAtMs > SECOND_SIGINT_MS) supervisor.kill('SIGINT came twice');
    if (!main.stopping) interruptedAtMs = performance.now();
    void main.stop('SIGINT');
  });
  process.on('SIGUSR2', () => void supervisor.rollingRestart());
  // For a daemon SIGHUP means "reload". With a terminal it means that the terminal was closed.
  process.on('SIGHUP', () => void (process.stdin.isTTY ? main.stop('SIGHUP') : supervisor.rollingRestart()));
  // If another program started this one with an IPC channel and ends, no other process would stop this one.
  process.on('disconnect', () => void main.stop('the parent process is gone'));
}

/** Holds the lock of DATA_DIR until this process ends. */
function holdLock({ dataDir }: EngineSettings): void {
  let lock: LockOutcome;
  try {
    openPrivateFolder(dataDir, DATA_FOLDERS);
    lock = takeLock(engineLock(resolve(dataDir)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new StartError(`DATA_DIR ${dataDir} cannot be used: ${code}`);
  }
  if (lock.outcome === 'taken') throw new StartError(`another engine (process ${lock.by.pid}) runs on ${engineFolder(resolve(dataDir))}`);
  const { release } = lock;
  process.on('exit', () => release());
}

interface Start {
  readonly settings: EngineSettings;
  /** Whether to replace the engine that runs on DATA_DIR. */
  readonly replaces: boolean;
}

/** Returns what the arguments request; null if that was help, which is then printed. */
function readArguments(): Start | null {
  let replaces = false;
  try {
    const options = { help: { type: 'boolean', short: 'h' }, 'take-over': { type: 'boolean', default: false } } as const;
    const { values } = parseArgs({ options, strict: true });
    if (values.help) {
      console.log(HELP + describeSettings([engineSettings]));
      return null;
    }
    replaces = values['take-over'];
  } catch (error) {
    throw new StartError((error as Error).message);
  }
  const settings = readSettings(engineSettings, withSecretsOfFiles(engineSettings, process.env));
  chosenClickHouse(settings);
  // Checked here, where an error is one line and an exit. In a child it would cause a crash loop.
  parseSecretKeys(settings.secretsKeys);
  checkCountryFile(settings.countryDatabase);
  return { settings, replaces };
}

try {
  const start = readArguments();
  if (start !== null) await run(start);
} catch (error) {
  if (!(error instanceof StartError) && !(error instanceof SettingError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
