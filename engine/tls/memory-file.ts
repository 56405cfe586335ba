import { closeSync, mkdtempSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bindCLibrary } from '../../shared/base/c-library.js';

type Create = (name: string) => number;

/** Undefined until it has been looked up; null if the system has no such call. */
let create: Create | null | undefined;

/** memfd_create(2) of Linux: a file that is on no disk and is gone with its last descriptor. */
function loadCreate(): Create | null {
  if (process.platform !== 'linux') return null;
  const bound = bindCLibrary((library) => library.func('int memfd_create(const char *name, unsigned int flags)'));
  return bound.available ? (name) => bound.functions(name, MFD_CLOEXEC) as number : null;
}

const MFD_CLOEXEC = 1;

/**
 * Lets `use` read the text from a path, for a library that accepts only file names, and removes the file before it returns. The
 * file is in memory if the system allows that, so that a process that is killed meanwhile leaves no copy of a private key behind.
 * Otherwise it is in a temporary folder that only this user can open.
 */
export function withFile<Result>(text: string, use: (path: string) => Result): Result {
  create ??= loadCreate();
  const fd = create?.('pem') ?? -1;
  if (fd < 0) return withTemporaryFile(text, use);
  try {
    writeSync(fd, text);
    return use(`/proc/self/fd/${fd}`);
  } finally {
    closeSync(fd);
  }
}

function withTemporaryFile<Result>(text: string, use: (path: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'pem-'));
  try {
    const path = join(folder, 'pem');
    writeFileSync(path, text, { mode: 0o600 });
    return use(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
