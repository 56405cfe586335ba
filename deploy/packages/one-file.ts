import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';

export interface OneFile {
  /** The name of a package of `root`. */
  readonly name: string;
  /** Path within the written package of the file. */
  readonly file: string;
  /** The kind of the package's own modules. */
  readonly kind: 'module' | 'commonjs';
  /** The source of its exports, if they are not all of the package's own. */
  readonly source?: string;
  /** Sources for imported packages, by their names, if they are not the packages' own. What they import stays separate. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Values for names that are not defined, as JSON. */
  readonly constants?: Readonly<Record<string, string>>;
}

/** CommonJS names its exports only at run time. */
function exportsOf(root: string, name: string, kind: OneFile['kind']): string {
  const byDefault = `export { default } from '${name}';`;
  if (kind === 'module') return `export * from '${name}'; ${byDefault}`;
  const names = Object.keys(createRequire(join(root, 'package.json'))(name)).filter((member) => member !== 'default');
  return `export { ${names.join(', ')} } from '${name}'; ${byDefault}`;
}

function replacing(sources: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'replaced',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ path, namespace }) => {
        if (namespace === 'replaced') return { path, external: true };
        return Object.hasOwn(sources, path) ? { path, namespace: 'replaced' } : null;
      });
      onLoad({ filter: /./, namespace: 'replaced' }, ({ path }) => ({ contents: sources[path] ?? '' }));
    },
  };
}

/**
 * Writes a package as one file into the folder, a `node_modules`. Everything that is compiled below the folder's parent finds it there
 * before the package itself. This is because finding and compiling hundreds of small modules takes a process longer than its work. Does
 * nothing if the packages have not changed.
 */
export async function writeAsOneFile(
  root: string,
  folder: string,
  { name, file, kind, source, replaced = {}, constants = {} }: OneFile,
): Promise<void> {
  const target = join(folder, name);
  const contents = source ?? exportsOf(root, name, kind);
  const version = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(contents)
    .update(JSON.stringify([replaced, constants]))
    .digest('hex');
  const description = JSON.stringify({ name, version, type: 'module', main: `./${file}` });
  if (existsSync(join(target, 'package.json')) && readFileSync(join(target, 'package.json'), 'utf8') === description) return;
  const made = join(folder, `.made-${randomBytes(4).toString('hex')}`);
  mkdirSync(made, { recursive: true });
  // The name may have a scope, which is a folder.
  mkdirSync(dirname(target), { recursive: true });
  await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    platform: 'node',
    format: 'esm',
    // CommonJS packages load others by `require`, which a module has to create for itself.
    banner: { js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);" },
    outfile: join(made, file),
    define: constants,
    plugins: [replacing(replaced)],
    logLevel: 'error',
  });
  writeFileSync(join(made, 'package.json'), description);
  // One package at a time, because another run may do the same.
  rmSync(target, { recursive: true, force: true });
  try {
    renameSync(made, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
    rmSync(made, { recursive: true });
  }
}
