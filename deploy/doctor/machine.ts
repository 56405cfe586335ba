import type { Finding } from '../../control-plane/cli/finding.js';
import { failure, ok, unchecked, warning } from './findings.js';

/** What was found on the machine; null for what could not be read. */
export interface MachineFacts {
  readonly nodeVersion: string;
  /** `engines.node` of package.json. */
  readonly nodeRange: string;
  readonly packages: readonly PackageFact[];
  readonly dataDir: string;
  /** Whether DATA_DIR is set, or its default exists. */
  readonly isEngineHere: boolean;
  readonly dataDirFault: string | null;
  readonly diskFreeBytes: number | null;
  readonly spoolBytesMax: number;
  readonly openFilesMax: number | null;
  readonly platform: string;
  readonly sharedMemoryFreeBytes: number | null;
  /** `process.versions.modules`, which binaries are built for. */
  readonly nodeAbi: string;
  /** ENGINE_LISTENER. */
  readonly listener: 'uws' | 'node';
  /** null if it is not installed. */
  readonly uws: UwsFact | null;
  readonly kernel: string;
  readonly migratesHandshakes: boolean | null;
  /** The entries of nf_conntrack; null if the machine tracks no connections or does not show them. */
  readonly trackedConnections: { readonly count: number; readonly max: number } | null;
}

export interface PackageFact {
  readonly name: string;
  readonly wanted: string;
  /** null if it is not installed. */
  readonly installed: string | null;
}

export interface UwsFact {
  readonly version: string;
  /** Why its binary must not be loaded; '' if it may be. */
  readonly fault: string;
  /** A remark about a binary that may be loaded; '' if it has the known checksum. */
  readonly note: string;
  /** Whether it loads under this Node.js on this system; null if the check did not finish in time. */
  readonly loads: boolean | null;
}

/** Each visitor takes an open file while connected. The engine needs some hundred more. */
const OPEN_FILES_FEW = 16_384;
const OPEN_FILES_TOO_FEW = 1_024;
/** Docker gives a container 64 MiB; PostgreSQL's parallel queries need more. */
const SHARED_MEMORY_BYTES_MIN = 64 * 1024 ** 2;
const DISK_BYTES_MIN = 256 * 1024 ** 2;
/** Shares of the nf_conntrack table. A closed connection stays in it for two minutes, so the rest fills up quickly. */
const TRACKED_MANY = 0.75;
const TRACKED_FULL = 0.98;
/** SO_REUSEPORT was added in 3.9, memfd_create in 3.17; 4.18 is the oldest that Node.js 20 supports. */
const KERNEL_MIN: readonly [number, number] = [4, 18];

export function machineFindings(facts: MachineFacts): readonly Finding[] {
  return [
    nodeFinding(facts),
    packagesFinding(facts.packages),
    dataDirFinding(facts),
    diskFinding(facts),
    openFilesFinding(facts.openFilesMax),
    sharedMemoryFinding(facts),
    uwsFinding(facts),
    kernelFinding(facts),
    conntrackFinding(facts.trackedConnections),
  ];
}

function nodeFinding({ nodeVersion, nodeRange }: MachineFacts): Finding {
  return isInRange(nodeVersion, nodeRange)
    ? ok('node', `Node.js ${nodeVersion} is supported.`)
    : failure('node', `Node.js ${nodeVersion} is not supported.`, `nvm install 22, or another way to a Node.js of ${nodeRange}`);
}

/** Supports the two comparisons that package.json uses: `>=20.18.0 <21 || >=24.0.0 <25`. */
export function isInRange(version: string, range: string): boolean {
  return range.split('||').some((part) =>
    part
      .trim()
      .split(/\s+/)
      .every((comparison) => {
        const [, operator, wanted = ''] = /^(>=|<)(.*)$/.exec(comparison) ?? [];
        const order = compareVersions(version, wanted);
        return operator === '>=' ? order >= 0 : operator === '<' && order < 0;
      }),
  );
}

function compareVersions(left: string, right: string): number {
  const [a, b] = [left, right].map((version) => version.split('.').map(Number));
  for (const place of [0, 1, 2]) {
    const difference = (a?.[place] ?? 0) - (b?.[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function packagesFinding(packages: readonly PackageFact[]): Finding {
  const wrong = packages.filter(({ installed, wanted }) => installed !== wanted);
  if (wrong.length === 0) return ok('packages', 'Every package has the version of package.json.');
  const named = wrong.slice(0, 5).map(({ name, wanted, installed }) => `${name} ${installed ?? 'missing'} instead of ${wanted}`);
  return failure('packages', `Packages differ from package.json: ${named.join(', ')}.`, 'npm ci && npm run build');
}

const NO_ENGINE = 'There is no engine on this machine: DATA_DIR is not set, and its default does not exist.';

function dataDirFinding({ dataDir, dataDirFault, isEngineHere }: MachineFacts): Finding {
  if (!isEngineHere) return unchecked('data_dir', NO_ENGINE);
  return dataDirFault === null
    ? ok('data_dir', `${dataDir} is writable.`)
    : failure(
        'data_dir',
        `${dataDir} is not writable: ${dataDirFault}.`,
        `install -d -o <user of the service> -m 700 ${dataDir}, or DATA_DIR=<a folder that the user can write>`,
      );
}

function diskFinding({ dataDir, diskFreeBytes, spoolBytesMax, isEngineHere }: MachineFacts): Finding {
  if (!isEngineHere) return unchecked('disk', NO_ENGINE);
  if (diskFreeBytes === null) return unchecked('disk', `The free space of ${dataDir} could not be read.`);
  const free = `${megabytes(diskFreeBytes)} are free in ${dataDir}`;
  const repair = `du -xhd 2 ${dataDir} shows what to delete; or DATA_DIR=<a folder of a larger disk>, or SPOOL_BYTES_MAX=<fewer bytes>`;
  if (diskFreeBytes < DISK_BYTES_MIN) return failure('disk', `${free}, which clicks will fill soon.`, repair);
  if (diskFreeBytes < spoolBytesMax)
    return warning('disk', `${free}, and the click spool may take ${megabytes(spoolBytesMax)} while PostgreSQL cannot be reached.`, repair);
  return ok('disk', `${free}.`);
}

function openFilesFinding(openFilesMax: number | null): Finding {
  if (openFilesMax === null) return unchecked('open_files', 'The limit of open files could not be read.');
  const limit = `A process may open ${openFilesMax === Number.POSITIVE_INFINITY ? 'any number of' : openFilesMax} files`;
  const repair = 'LimitNOFILE=65536 of the systemd unit, or: ulimit -n 65536';
  if (openFilesMax < OPEN_FILES_TOO_FEW) return failure('open_files', `${limit}, too few for an engine.`, repair);
  if (openFilesMax < OPEN_FILES_FEW) return warning('open_files', `${limit}; each connected visitor takes one.`, repair);
  return ok('open_files', `${limit}.`);
}

function sharedMemoryFinding({ platform, sharedMemoryFreeBytes }: MachineFacts): Finding {
  if (platform !== 'linux') return ok('shared_memory', `There is no /dev/shm on ${platform}, and none is needed.`);
  if (sharedMemoryFreeBytes === null) return unchecked('shared_memory', 'The free space of /dev/shm could not be read.');
  const free = `${megabytes(sharedMemoryFreeBytes)} are free in /dev/shm`;
  return sharedMemoryFreeBytes < SHARED_MEMORY_BYTES_MIN
    ? warning(
        'shared_memory',
        `${free}, which a PostgreSQL on this machine needs for large queries.`,
        'docker run --shm-size=256m, or: mount -o remount,size=256m /dev/shm',
      )
    : ok('shared_memory', `${free}.`);
}

/** The release from its authors that has binaries for Node.js 24, whose ABI is 137. */
const UWS_FOR_NEWER = 'npm install --no-save "uWebSockets.js@github:uNetworking/uWebSockets.js#v20.52.0"';

function uwsFinding({ uws, listener, nodeVersion, nodeAbi }: MachineFacts): Finding {
  if (listener === 'node') return ok('uwebsockets', 'ENGINE_LISTENER is node: uWebSockets.js is not loaded.');
  if (uws === null) return failure('uwebsockets', 'uWebSockets.js is not installed.', 'npm ci && npm run build');
  const { version, fault, note, loads } = uws;
  if (fault !== '') return failure('uwebsockets', `${fault.split(';')[0]}.`, 'npm ci && npm run build');
  if (loads === null) return unchecked('uwebsockets', 'The check whether uWebSockets.js loads did not finish in time.');
  if (!loads)
    return warning(
      'uwebsockets',
      `uWebSockets.js ${version} does not load under Node.js ${nodeVersion} on this system: node:http serves the link hosts and takes more CPU time per visit.`,
      nodeAbi === '137' ? `${UWS_FOR_NEWER}, or accept it with ENGINE_LISTENER=node` : 'ENGINE_LISTENER=node accepts it',
    );
  return ok('uwebsockets', note === '' ? 'The binary of uWebSockets.js has the known checksum and loads.' : `${note}; it loads.`);
}

const KERNEL_REPAIR = 'apt-get full-upgrade && reboot, or upgrade the kernel in the way of your distribution';

function kernelFinding({ platform, kernel, migratesHandshakes }: MachineFacts): Finding {
  if (platform !== 'linux') return ok('kernel', `The service runs on ${platform} ${kernel}, but its performance is measured on Linux.`);
  const [major = 0, minor = 0] = kernel.split('.').map((part) => Number.parseInt(part, 10));
  if (major < KERNEL_MIN[0] || (major === KERNEL_MIN[0] && minor < KERNEL_MIN[1]))
    return failure('kernel', `Linux ${kernel} is older than ${KERNEL_MIN.join('.')}.`, KERNEL_REPAIR);
  if (migratesHandshakes === false)
    return warning(
      'kernel',
      `Linux ${kernel} does not pass new connections of a stopping process on to another one: a restart may delay some of them by a second.`,
      'sysctl -w net.ipv4.tcp_migrate_req=1',
    );
  return ok(
    'kernel',
    `Linux ${kernel} ${migratesHandshakes === null ? 'is new enough' : 'hands new connections of a process that ends to another one'}.`,
  );
}

function conntrackFinding(tracked: MachineFacts['trackedConnections']): Finding {
  if (tracked === null) return unchecked('conntrack', 'nf_conntrack is not loaded, or its table cannot be read from here.');
  const { count, max } = tracked;
  const text = `nf_conntrack tracks ${count} of at most ${max} connections`;
  const repair = `sysctl -w net.netfilter.nf_conntrack_max=${2 * max}, or turn tracking off for the ports of the link hosts`;
  if (count >= max * TRACKED_FULL) return failure('conntrack', `${text}: new ones are dropped.`, repair);
  if (count >= max * TRACKED_MANY) return warning('conntrack', `${text}: new ones are dropped once it is full.`, repair);
  return ok('conntrack', `${text}.`);
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 1024 ** 2)} MiB`;
}
