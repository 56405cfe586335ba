import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from './control-plane.js';
import { ROOT } from './source-tree.js';
import { temporaryFolder } from './temporary-folder.js';

/** Used while there is no tag yet: the tree of 23 November 2026, with the migrations up to 0009. */
const UNTAGGED = '7551db2196ff7dccfb556092484addae2f66fb64';
const BUILD_MS_MAX = 600_000;

interface Teardown {
  teardown(fn: () => unknown): void;
}

/** The compiled tree of the previous release, with what a test needs of it before its processes run. */
export interface LastRelease {
  /** The tag or the commit. */
  readonly name: string;
  /** The root of the compiled tree. */
  readonly root: string;
  /** Migrates like `linkd migrate` of that release. */
  migrate(databaseUrl: string): Promise<unknown>;
  /** Creates a project like `linkd project create` of that release. */
  makeProject(databaseUrl: string): Promise<TestProject>;
}

function run(command: string, parameters: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, parameters, { cwd, encoding: 'utf8', timeout: BUILD_MS_MAX });
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')}: ${stderr}${stdout}${error ?? ''}`);
  return stdout.trim();
}

/**
 * Returns the last tag before this tree, or the commit that replaces it; null in a copy without history, such as an
 * archive or a shallow clone.
 */
export function nameOfLastRelease(): string | null {
  const git = (...parameters: readonly string[]) => spawnSync('git', parameters, { cwd: ROOT, encoding: 'utf8' });
  const described = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^');
  const name = described.status === 0 ? described.stdout.trim() : UNTAGGED;
  return git('cat-file', '-e', `${name}^{commit}`).status === 0 ? name : null;
}

const PARTS = ['engine', 'control-plane', 'shared', 'deploy', 'bench', 'test'];

/**
 * Compiles parts of the tree in `dir` into `root`, every module by itself. This only removes the types of a file, as
 * the compiler does; esbuild takes a tenth of the compiler's time.
 */
export async function compileModules(dir: string, root: string, parts: readonly string[]): Promise<void> {
  const entryPoints = parts.flatMap((part) =>
    readdirSync(join(dir, part), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
      .map((name) => join(dir, part, name)),
  );
  await build({ entryPoints, outdir: root, outbase: dir, format: 'esm', platform: 'node', target: 'es2023', logLevel: 'error' });
}

/** Extracts the release from the history and compiles it beside the packages of this one. */
export async function buildLastRelease(t: Teardown, name: string): Promise<LastRelease> {
  const dir = temporaryFolder(t);
  run('git', ['archive', '--format=tar', '-o', join(dir, 'release.tar'), name], ROOT);
  run('tar', ['-xf', 'release.tar'], dir);
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  const root = join(dir, 'dist');
  await compileModules(dir, root, PARTS);
  if (!existsSync(join(root, 'engine', 'main.js'))) throw new Error(`${name} was not compiled into ${root}`);
  const part = (file: string) => import(pathToFileURL(join(root, file)).href);
  const { migrate } = (await part('control-plane/db/migrate.js')) as Pick<LastRelease, 'migrate'>;
  const { makeProject } = (await part('test/support/control-plane.js')) as Pick<LastRelease, 'makeProject'>;
  return { name, root, migrate: (databaseUrl) => migrate(databaseUrl), makeProject: (databaseUrl) => makeProject(databaseUrl) };
}
