import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The part of a tap test that is needed here. */
export interface Reporter {
  comment(line: string): void;
  fail(line: string): unknown;
}

/** Debian installs servers such as nginx in a folder that is not on the path of ordinary users. */
export const PROGRAM_PATH = `${process.env.PATH ?? ''}${delimiter}/usr/sbin`;

/** Returns false and prints a line if the program is missing; in CI the test fails instead. */
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

/** Runs a program that only inspects, until it ends. Returns both its outputs, and its status; null if a signal ended it. */
export function check(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = process.env) {
  const env = { ...environment, PATH: PROGRAM_PATH };
  const { status, stdout, stderr, error } = spawnSync(program, args, { env, encoding: 'utf8', timeout: CHECK_MS_MAX });
  return { status, output: `${stdout}${stderr}${error ?? ''}` };
}
