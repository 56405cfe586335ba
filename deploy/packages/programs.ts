import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, parse, relative } from 'node:path';
import type { Plugin } from 'rolldown';

/** Programs that are started as a separate process or thread, by their source files. */
export const PROGRAMS: readonly string[] = [
  'control-plane/main.ts',
  'control-plane/click-figures/columns/column-count.worker.ts',
  'control-plane/click-figures/counting/counting.worker.ts',
  'control-plane/large-calls/large-call.worker.ts',
  'control-plane/qr/qr.worker.ts',
  'deploy/command-line/linkd.ts',
  'deploy/images/health.ts',
  'deploy/local/main.ts',
  'engine/main.ts',
  'engine/redirect.ts',
  'engine/background.ts',
  'engine/http/uws-probe.ts',
  'engine/http/verify-uws.ts',
  'engine/webhooks/deliver.worker.ts',
];

const compiledPath = (root: string, source: string) => join(root, 'dist', relative(root, source)).replace(/\.ts$/, '.js');

/** Modules locate files beside themselves by `import.meta.url`, which would be that of the program in a bundle. */
function addressesOfModules(root: string, folder: string): Plugin {
  return {
    name: 'addresses of modules',
    transform(code, module) {
      if (!code.includes('import.meta.url')) return null;
      const address = `new URL(${JSON.stringify(relative(folder, compiledPath(root, module)))}, import.meta.url).href`;
      return { code: code.replaceAll('import.meta.url', address), map: null };
    },
  };
}

/** The folders of `root` that contain the modules of the programs. */
const PARTS = ['shared', 'control-plane', 'engine', 'deploy'];

/** A last line that changes when a module or a package changes. */
function versionLine(root: string): string {
  const hash = createHash('sha256');
  const add = (path: string) => hash.update(path).update(readFileSync(join(root, path)));
  add('package-lock.json');
  for (const part of PARTS)
    for (const name of readdirSync(join(root, part), { recursive: true, encoding: 'utf8' }).sort())
      if (/\.(?:ts|json)$/.test(name)) add(join(part, name));
  return `\n// Made of modules of ${hash.digest('hex')}\n`;
}

/** Replaces the file so that a process that starts in the meantime reads either the old or the new one. */
function replaceFile(path: string, contents: string | Uint8Array): void {
  const made = `${path}.${process.pid}`;
  writeFileSync(made, contents);
  renameSync(made, path);
}

/**
 * Writes a program, named by its source below `root`, as one file with all modules of the project that it uses. It replaces what the
 * compiler made of its first module. Modules that it loads only when needed become files beside it. Packages stay separate. Does nothing if
 * the program already ends with `version`.
 *
 * The bundler has to keep constants constant: V8 compiles their values into the code that uses them, but esbuild turns them into variables.
 */
export async function bundleProgram(root: string, source: string, version: string): Promise<void> {
  const path = compiledPath(root, join(root, source));
  if (existsSync(path) && readFileSync(path, 'utf8').endsWith(version)) return;
  const { dir, name } = parse(path);
  // Only a build that has work to do loads the bundler.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: { [name]: join(root, source) },
    external: /^[^./]/,
    platform: 'node',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    plugins: [addressesOfModules(root, dir)],
    tsconfig: false,
  });
  const { output } = await bundle.generate({
    dir,
    entryFileNames: '[name].js',
    chunkFileNames: `${name}.[name]-[hash].js`,
    sourcemap: true,
    comments: false,
  });
  const [program, ...others] = output;
  for (const file of others) replaceFile(join(dir, file.fileName), file.type === 'chunk' ? file.code + version : file.source);
  replaceFile(path, program.code + version);
  const written = new Set(output.map(({ fileName }) => fileName));
  const chunk = new RegExp(`^${name.replaceAll('.', '\\.')}\\.[\\w.-]+-[\\w-]{8}\\.js(\\.map)?$`);
  for (const file of readdirSync(dir)) if (chunk.test(file) && !written.has(file)) rmSync(join(dir, file));
}

/** A control plane has five hundred modules, which take longer to find and compile than all packages and the work of its start. */
export async function bundlePrograms(root: string): Promise<void> {
  const version = versionLine(root);
  await Promise.all(PROGRAMS.map((source) => bundleProgram(root, source, version)));
}
