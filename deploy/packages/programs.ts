import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, parse, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** What is started as a process or as a thread of its own, by its source. */
export const PROGRAMS: readonly string[] = [
  'control-plane/main.ts',
  'control-plane/click-figures/counting.worker.ts',
  'control-plane/large-calls/large-call.worker.ts',
  'control-plane/qr/qr.worker.ts',
  'deploy/command-line/linkd.ts',
  'deploy/images/health.ts',
  'deploy/local/main.ts',
  'engine/main.ts',
  'engine/redirect.ts',
  'engine/background.ts',
  'engine/http/uws-probe.ts',
  'engine/webhooks/deliver.worker.ts',
];

const compiledPath = (root: string, source: string) => join(root, 'dist', relative(root, source)).replace(/\.ts$/, '.js');

/** Modules name files beside themselves by `import.meta.url`, which in a bundle is that of the program. */
function addressesOfModules(root: string, program: string): Plugin {
  const folder = dirname(compiledPath(root, program));
  return {
    name: 'addresses of modules',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const address = `new URL(${JSON.stringify(relative(folder, compiledPath(root, path)))}, import.meta.url).href`;
        return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', address), loader: 'ts' };
      });
    },
  };
}

/** A process that starts meanwhile reads the old file or the new one. */
function replaceFile(path: string, contents: Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  const made = `${path}.${process.pid}`;
  writeFileSync(made, contents);
  renameSync(made, path);
}

/**
 * Writes a program, named by its source below `root`, as one file with all modules of the project that it uses, over what the compiler has
 * made of its first module. Modules that it loads only when it needs them are files beside it. Packages stay by themselves.
 */
export async function bundleProgram(root: string, source: string): Promise<void> {
  const program = join(root, source);
  const { dir, name } = parse(compiledPath(root, program));
  const { outputFiles } = await build({
    entryPoints: [program],
    outdir: dir,
    chunkNames: `${name}.[name]-[hash]`,
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    plugins: [addressesOfModules(root, program)],
    write: false,
    logLevel: 'error',
  });
  const written = new Set(outputFiles.map(({ path }) => basename(path)));
  for (const { path, contents } of outputFiles) replaceFile(path, contents);
  const chunk = new RegExp(`^${name.replaceAll('.', '\\.')}\\.[\\w.]+-[A-Z0-9]{8}\\.js(\\.map)?$`);
  for (const file of readdirSync(dir)) if (chunk.test(file) && !written.has(file)) rmSync(join(dir, file));
}

/** A control plane is five hundred modules, which take longer to find and compile than all packages and the work of its start. */
export async function bundlePrograms(root: string): Promise<void> {
  await Promise.all(PROGRAMS.map((source) => bundleProgram(root, source)));
}
