import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CERTIFICATE_FILE_BYTES_MAX, CERTIFICATE_FILES_MAX } from '../../shared/base/limits.js';
import type { CertificateFault, PemFile } from './certificate.js';

/** The files of a folder, with a stamp that shows whether any has changed. */
export interface FolderState {
  readonly paths: readonly string[];
  /** Differs from another state's stamp if a file was added, removed or written. */
  readonly stamp: string;
}

export interface FolderContent {
  readonly files: readonly PemFile[];
  readonly faults: readonly CertificateFault[];
}

const SUFFIXES = ['.pem', '.crt', '.cer', '.key'];

/**
 * Returns the files of a folder and of the folders in it, by name. Names that begin with a dot are skipped, because Kubernetes
 * keeps the files behind the links of a secret there. Throws what the system throws.
 */
export async function lookAtFolder(dir: string): Promise<FolderState> {
  const found: string[] = [];
  const look = async (folder: string, deeper: boolean): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      if (deeper && (await isFolder(entry, path))) await look(path, false);
      else if (SUFFIXES.some((suffix) => entry.name.endsWith(suffix))) found.push(path);
    }
  };
  await look(dir, true);
  const paths = found.toSorted().slice(0, CERTIFICATE_FILES_MAX);
  const stamps: string[] = [];
  for (const path of paths) stamps.push(`${path} ${await stampOf(path)}`);
  return { paths, stamp: stamps.join('\n') };
}

/** Follows symbolic links. A link that leads nowhere is not a folder, and is a fault when it is read. */
async function isFolder(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  const target = await statOrCode(path);
  return typeof target !== 'string' && target.isDirectory();
}

async function stampOf(path: string): Promise<string> {
  const file = await statOrCode(path);
  return typeof file === 'string' ? file : `${file.ino} ${file.size} ${file.mtimeMs} ${file.ctimeMs}`;
}

/** Returns the file's status, or the error's code if the system refuses. */
async function statOrCode(path: string): Promise<Awaited<ReturnType<typeof stat>> | string> {
  try {
    return await stat(path);
  } catch (error) {
    return codeOf(error);
  }
}

/** Reads the files. One that cannot be read is a fault of its own. */
export async function readFolder({ paths }: FolderState): Promise<FolderContent> {
  const files: PemFile[] = [];
  const faults: CertificateFault[] = [];
  for (const path of paths) {
    const status = await statOrCode(path);
    if (typeof status === 'string') faults.push({ path, reason: `it cannot be read: ${status}` });
    else if (status.size > CERTIFICATE_FILE_BYTES_MAX)
      faults.push({ path, reason: `it has more than ${CERTIFICATE_FILE_BYTES_MAX} bytes` });
    else
      try {
        files.push({ path, text: await readFile(path, 'latin1') });
      } catch (error) {
        faults.push({ path, reason: `it cannot be read: ${codeOf(error)}` });
      }
  }
  return { files, faults };
}

function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return code;
}
