import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { StartError } from './start-error.js';

/** The user that the server runs as. PostgreSQL refuses to run as root. Null means that the caller's own user can run it. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Accounts that exist for this purpose or own no files of anyone, best first. None is ever created. */
const CANDIDATES = ['postgres', '_postgres', 'nobody'];

function accounts(passwd: string): readonly ServerUser[] {
  return passwd.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && /^\d+$/.test(uid ?? '') && /^\d+$/.test(gid ?? '') ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

/**
 * Chooses from the accounts in the text of a passwd file: the owner of an existing data folder, or else the best candidate. `folder` is
 * what a copy has to be given to that account.
 */
export function chooseServerUser(passwd: string, ownerUid: number | null, folder = ''): ServerUser {
  const known = accounts(passwd);
  const candidate = CANDIDATES.map((name) => known.find((account) => account.name === name)).find((account) => account !== undefined);
  const chosen = ownerUid === null ? candidate : known.find((account) => account.uid === ownerUid);
  if (chosen === undefined || chosen.uid === 0)
    throw new StartError(
      ownerUid === null
        ? `PostgreSQL does not run as root, and there is no user ${CANDIDATES.join(' or ')} to run it as; start as an ordinary user or set DATABASE_URL`
        : `the database's folder ${folder} belongs to user number ${ownerUid}, which is not an ordinary account here; if it is a copy, run chown -R ${candidate?.name ?? '<user>'}: '${folder}'`,
    );
  return chosen;
}

/** `ownerUid` is the owner of the data folder `folder`, or null if there is no data folder yet. */
export function serverUser(ownerUid: number | null, folder = ''): ServerUser | null {
  const uid = process.getuid?.();
  if (uid === undefined) throw new StartError('the embedded PostgreSQL needs Linux or macOS; set DATABASE_URL');
  if (uid === 0) return chooseServerUser(readFileSync('/etc/passwd', 'utf8'), ownerUid, folder);
  if (ownerUid !== null && ownerUid !== uid)
    throw new StartError(
      `the database's folder ${folder} belongs to user number ${ownerUid}, not to this one (${uid}); start as the user of the first start`,
    );
  return null;
}

/** Options for a child that runs as the server's user and gets nothing of the caller's environment. */
export function runAs(user: ServerUser | null): { uid?: number; gid?: number; cwd: string; env: NodeJS.ProcessEnv } {
  // The working folder must be one that the other user may enter.
  const base = { cwd: '/', env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } };
  return user === null ? base : { ...base, uid: user.uid, gid: user.gid };
}

/** Asks the system instead of reading modes, because access lists, mount options and confinement count too. */
export function canWriteIn(folder: string, user: ServerUser | null): boolean {
  const { status, error } = spawnSync('/bin/sh', ['-c', 'cd "$0" && test -w .', folder], runAs(user));
  if (error) throw error;
  return status === 0;
}
