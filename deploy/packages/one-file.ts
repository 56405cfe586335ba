import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

export interface OneFile {
  /** The name of a package of `root`. */
  readonly name: string;
  /** Path within the written package of the file. */
  readonly file: string;
  /** The kind of the package's own modules. */
  readonly kind: 'module' | 'commonjs';
  /** The source of the default export, if it is not the package's own. It may export more. */
  readonly defaultExport?: string;
  /** Sources for imported packages, by their names, if they are not the packages' own. */
  readonly replaced?: Readonly<Record<string, string>>;
}

/** CommonJS names its exports only at run time. */
function exportsOf(root: string, name: string, kind: OneFile['kind']): string {
  if (kind === 'module') return `export * from '${name}';`;
  const names = Object.keys(createRequire(join(root, 'package.json'))(name)).filter((member) => member !== 'default');
  return `export { ${names.join(', ')} } from '${name}';`;
}

function replacing(sources: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'replaced',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ path }) => (Object.hasOwn(sources, path) ? { path, namespace: 'replaced' } : null));
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
  { name, file, kind, defaultExport, replaced = {} }: OneFile,
): Promise<void> {
  const target = join(folder, name);
  const contents = `${exportsOf(root, name, kind)}\n${defaultExport ?? `export { default } from '${name}';`}`;
  const version = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(contents)
    .update(JSON.stringify(replaced))
    .digest('hex');
  const description = JSON.stringify({ name, version, type: 'module', main: `./${file}` });
  if (existsSync(join(target, 'package.json')) && readFileSync(join(target, 'package.json'), 'utf8') === description) return;
  const made = join(folder, `.${name}-${randomBytes(4).toString('hex')}`);
  mkdirSync(made, { recursive: true });
  await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    platform: 'node',
    format: 'esm',
    // CommonJS packages load others by `require`, which a module has to create for itself.
    banner: { js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);" },
    outfile: join(made, file),
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
