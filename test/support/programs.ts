import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What is needed of a tap test. */
export interface Reporter {
  comment(line: string): void;
  fail(line: string): unknown;
}

/** Debian has servers such as nginx where ordinary users have no path to. */
export const PROGRAM_PATH = `${process.env.PATH ?? ''}${delimiter}/usr/sbin`;

/** False, with a line that says so, where the program is missing and nobody asked for all tests. */
export function hasProgram(t: Reporter, program: string, debianPackage = program): boolean {
  if (PROGRAM_PATH.split(delimiter).some((folder) => existsSync(join(folder, program)))) return true;
  return leaveOut(t, `there is no ${program} on this machine: apt-get install -y ${debianPackage}`);
}

/** Returns false and prints a line that says what is missing; in CI the test fails instead. */
export function leaveOut(t: Reporter, repair: string): false {
  if ((process.env.CI ?? '') === '') t.comment(`LEFT OUT: ${repair}`);
  else t.fail(repair);
  return false;
}

const CHECK_MS_MAX = 120_000;

/** Runs a program that only looks, to its end. What it says on both outputs, and its status; null if a signal ended it. */
export function check(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = process.env) {
  const env = { ...environment, PATH: PROGRAM_PATH };
  const { status, stdout, stderr, error } = spawnSync(program, args, { env, encoding: 'utf8', timeout: CHECK_MS_MAX });
  return { status, output: `${stdout}${stderr}${error ?? ''}` };
}
