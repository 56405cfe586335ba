import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { leaveOut, type Reporter } from './programs.js';

const RELEASES = '/usr/lib/postgresql';

/**
 * Returns where Debian and Ubuntu have PostgreSQL's own programs: those of release 15, which the pages describe, or of
 * the newest installed release.
 */
export function debianPostgres(): string | null {
  const releases = existsSync(RELEASES) ? readdirSync(RELEASES).map(Number) : [];
  const release = releases.includes(15) ? 15 : Math.max(...releases);
  const programs = join(RELEASES, String(release), 'bin');
  return existsSync(join(programs, 'postgres')) ? programs : null;
}

/** Returns false and prints a line if there is no such PostgreSQL; in CI the test fails instead. */
export function hasDebianPostgres(t: Reporter): boolean {
  if (debianPostgres() !== null) return true;
  return leaveOut(t, 'there is no PostgreSQL of Debian on this machine: apt-get install -y postgresql');
}
