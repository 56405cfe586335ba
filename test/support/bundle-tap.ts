import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** tap leaves frames of packages of this scope out of the stacks that it reports. */
const FILE = join('node_modules', '@tapjs', 'tap.js');

/**
 * Writes tap as one file below `dist/test/node_modules`, where every compiled test finds it before the package itself. tap is some
 * three hundred modules, which take a process longer to find and compile than most test files take to run. Does nothing if
 * the packages have not changed since.
 */
export async function bundleTap(root: string): Promise<void> {
  const parent = join(root, 'dist', 'test', 'node_modules');
  const target = join(parent, 'tap');
  const version = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const description = JSON.stringify({ name: 'tap', version, type: 'module', main: `./${FILE}` });
  if (existsSync(join(target, 'package.json')) && readFileSync(join(target, 'package.json'), 'utf8') === description) return;
  const made = join(parent, `.tap-${randomBytes(4).toString('hex')}`);
  mkdirSync(made, { recursive: true });
  await build({
    stdin: { contents: "export * from 'tap'; export { default } from 'tap';", resolveDir: root },
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Packages that are CommonJS ask for others by `require`, which a module has to make for itself.
    banner: { js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);" },
    outfile: join(made, FILE),
    logLevel: 'error',
  });
  writeFileSync(join(made, 'package.json'), description);
  // A name at a time: another run may do the same.
  rmSync(target, { recursive: true, force: true });
  try {
    renameSync(made, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
    rmSync(made, { recursive: true });
  }
}
