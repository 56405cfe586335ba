import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * uWebSockets.js comes as machine code, and `uws-pack` is a repack of the upstream release v20.49. These are the SHA-256 checksums
 * of its files for every platform, by Node.js ABI (115: Node 20, 127: Node 22). Those for Linux on x64 are the checksums of the
 * upstream files; the others were taken from the repack when it was chosen.
 */
const KNOWN_SHA256: Readonly<Record<string, string>> = {
  'uws_darwin_arm64_115.node': '5d523bccbe80d3d8fa59422ff81801b8179212b9a8a5da28bff6926a95a65701',
  'uws_darwin_arm64_127.node': 'abbeea53d48e21c01808203e9f9835728f2cea720d2e5b154837ee3045b513be',
  'uws_darwin_x64_115.node': '1f2a5c73d9dc3066d39b675b73f2c50eddbc4f270d292a6126ddfe3757c54cf9',
  'uws_darwin_x64_127.node': 'afd992dc1ca1e33cdc7ce0c72a60baf236e590a257fcecbbbce7bc1a35451387',
  'uws_linux_arm64_115.node': 'c0e29fc143b46b584f3debec7910014ec228198fc1f17aaeacd1de7991bd3769',
  'uws_linux_arm64_127.node': 'd4c4f8b2c28c5f6544b49e36d91b0beee238a5b90a07904a947f77061c8b814d',
  'uws_linux_arm_115.node': 'b02d5bc5ab08f040b6b9b818c3eb92806611f77a4dc2439a8f14cac827d498be',
  'uws_linux_arm_127.node': '0e1d4024b629a1fe17ec76cde8fe7e320101eb8bdcf7b2c4086933932e3cea23',
  'uws_linux_x64_115.node': '6f8d96d761a64beddb060f1f7f0e617dd293ed127ec1d57507aa561a0083171e',
  'uws_linux_x64_127.node': '8cabc918bbf9a07323e54f89a33882491080b2eb35df0607f473ccdb1f3c31af',
  'uws_win32_x64_115.node': '58c8b8e47ae3dc6c382dbfc24656755106cbecce56add05ca2c32d5c39951ddd',
  'uws_win32_x64_127.node': '585d6ee2dbfc750b1d5a59e6ceaef8a977e90ef3e298a82821d58b41cd72a8c0',
};

/** The ABIs for which the repack's binaries are used. No other file of it is ever loaded. */
const ABIS = ['115', '127'];

/** The names of the two packages: the repack that package.json pins, and the one that the authors publish on GitHub. */
const REPACK = 'uws-pack';
const AUTHORS = 'uWebSockets.js';
/** The authors' release whose files have known checksums, for Linux on x64 only. */
const AUTHORS_VERSION = '20.49.0';
const AUTHORS_KNOWN = /^uws_linux_x64_/;

export interface UwsPackage {
  /** The name in its own package.json, whatever folder it is installed in. */
  readonly name: string;
  readonly version: string;
  /** The folder of its machine code. */
  readonly folder: string;
}

/** Returns the package that is installed as uWebSockets.js. Throws if there is none. */
export function uwsPackage(entry: string = fileURLToPath(import.meta.resolve('uWebSockets.js'))): UwsPackage {
  let root = dirname(entry);
  while (!existsSync(join(root, 'package.json')) && dirname(root) !== root) root = dirname(root);
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Omit<UwsPackage, 'folder'>;
  return { name, version, folder: name === AUTHORS ? root : join(dirname(entry), 'bin') };
}

/** Returns the name of the file that this process would load. */
export function ownBinary(): string {
  return `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
}

/**
 * Returns every file of the repack that some system would load. Another package was installed for this system, so only its own
 * file counts.
 */
export function allBinaries({ name, folder }: UwsPackage): readonly string[] {
  if (name !== REPACK) return [ownBinary()];
  const ofSupported = readdirSync(folder).filter((file) => ABIS.some((abi) => file.endsWith(`_${abi}.node`)));
  return [...new Set([...ofSupported, ...Object.keys(KNOWN_SHA256)])].toSorted();
}

/** Returns why the machine code must not be loaded, with the command that repairs it; '' if every file is the known one. */
export function binaryFault(folder: string, files: readonly string[]): string {
  const wrong = files.filter((file) => KNOWN_SHA256[file] === undefined || sumOf(join(folder, file)) !== KNOWN_SHA256[file]);
  return wrong.length === 0 ? '' : `${wrong.join(', ')} of uWebSockets.js is not the known file; install it again with: npm ci`;
}

export interface BinaryJudgement {
  /** Why the files must not be loaded; '' if they may be. */
  readonly fault: string;
  /** What to log about them although they may be loaded; '' if they are known. */
  readonly note: string;
}

/**
 * Files of the repack are loaded only if they are the known ones. Another release of the authors has no known checksums. `npm ci`
 * never installs one, so it was installed on purpose and is loaded, with a note. Other packages are not loaded.
 */
export function judgeBinaries(installed: UwsPackage, files: readonly string[]): BinaryJudgement {
  const { name, version, folder } = installed;
  if (name === REPACK) return { fault: binaryFault(folder, files), note: '' };
  if (name !== AUTHORS)
    return {
      fault: `${name} ${version} is installed as uWebSockets.js, but is neither the repack nor a release of its authors; install it again with: npm ci`,
      note: '',
    };
  const known = version === AUTHORS_VERSION ? files.filter((file) => AUTHORS_KNOWN.test(file) && file in KNOWN_SHA256) : [];
  const note = `uWebSockets.js ${version} was installed from its authors; there is no known checksum for its binary`;
  return { fault: binaryFault(folder, known), note: known.length === files.length ? '' : note };
}

/** Judges the file that this process would load. If there is none for this system, loading it reports that. */
export function judgeOwnBinary(installed: UwsPackage = uwsPackage()): BinaryJudgement {
  const hasOne = existsSync(join(installed.folder, ownBinary()));
  return judgeBinaries(installed, hasOne || installed.name !== REPACK ? [ownBinary()] : []);
}

function sumOf(path: string): string {
  if (!existsSync(path)) return '';
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
