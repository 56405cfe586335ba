import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { release } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judgeOwnBinary, uwsPackage } from '../../engine/http/uws-binary.js';
import { engineSettings } from '../../engine/settings.js';
import { uwsLoads } from '../../engine/supervisor/listener-choice.js';
import { within } from '../../shared/base/within.js';
import type { MachineFacts, PackageFact, UwsFact } from './machine.js';
import { settingOf } from './settings.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A separate process has to start, which may take long on a busy machine. */
const UWS_TIMEOUT_MS = 10_000;
/** Checked separately, because operators may install another release of it on purpose. */
const UWS = 'uWebSockets.js';

interface Manifest {
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
}

export async function readMachineFacts(environment: NodeJS.ProcessEnv): Promise<MachineFacts> {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
  const dataDir = resolve(settingOf(engineSettings.dataDir, environment));
  const folder = nearestFolder(dataDir);
  return {
    nodeVersion: process.versions.node,
    nodeRange: manifest.engines.node,
    packages: Object.entries(manifest.dependencies).flatMap(([name, wanted]) => (name === UWS ? [] : [packageFact(name, wanted)])),
    dataDir,
    isEngineHere: (environment[engineSettings.dataDir.name] ?? '') !== '' || existsSync(dataDir),
    dataDirFault: await writeFault(folder),
    diskFreeBytes: await freeBytes(folder),
    spoolBytesMax: settingOf(engineSettings.spoolBytesMax, environment),
    openFilesMax: openFilesMax(readText('/proc/self/limits')),
    platform: process.platform,
    sharedMemoryFreeBytes: await freeBytes('/dev/shm'),
    nodeAbi: process.versions.modules,
    listener: settingOf(engineSettings.listener, environment),
    uws: await uwsFact(),
    kernel: release(),
    migratesHandshakes: migratesHandshakes(),
    trackedConnections: trackedConnections(),
  };
}

/** The folder itself, or the nearest existing folder above it. */
function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

function packageFact(name: string, wanted: string): PackageFact {
  const text = readText(join(ROOT, 'node_modules', name, 'package.json'));
  const installed = text === null ? null : (JSON.parse(text) as { version: string }).version;
  return { name, wanted: wanted.replace(/^npm:.*@/, ''), installed };
}

async function writeFault(folder: string): Promise<string | null> {
  try {
    const made = await mkdtemp(join(folder, `.doctor-${randomUUID()}-`));
    await rm(made, { recursive: true });
    return null;
  } catch (error) {
    return codeOf(error);
  }
}

async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    codeOf(error);
    return null;
  }
}

/** The soft limit in the text of `/proc/self/limits`. Node.js raises it to the hard limit when it starts, for an engine as well. */
export function openFilesMax(limits: string | null): number | null {
  const soft = /^Max open files\s+(\S+)/m.exec(limits ?? '')?.[1];
  if (soft === undefined) return null;
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
}

/** Null if it is not installed. */
async function uwsFact(): Promise<UwsFact | null> {
  if (!existsSync(join(ROOT, 'node_modules', UWS))) return null;
  const installed = uwsPackage();
  const { fault, note } = judgeOwnBinary(installed);
  return { version: installed.version, fault, note, loads: fault === '' ? await within(UWS_TIMEOUT_MS, uwsLoads()) : false };
}

function migratesHandshakes(): boolean | null {
  const text = readText('/proc/sys/net/ipv4/tcp_migrate_req');
  return text === null ? null : text.trim() === '1';
}

function trackedConnections(): MachineFacts['trackedConnections'] {
  const [count, max] = ['count', 'max'].map((what) => Number(readText(`/proc/sys/net/netfilter/nf_conntrack_${what}`) ?? Number.NaN));
  return count !== undefined && max !== undefined && count >= 0 && max > 0 ? { count, max } : null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    codeOf(error);
    return null;
  }
}

/** The error code of the system. An error without one is a fault of the program and is thrown. */
function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return code;
}
