import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, parse, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

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

/** A process that starts meanwhile reads the old file or the new one. */
function replaceFile(path: string, contents: string | Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(contents))) return;
  const made = `${path}.${process.pid}`;
  writeFileSync(made, contents);
  renameSync(made, path);
}

/**
 * Writes a program, named by its source below `root`, as one file with all modules of the project that it uses, over what the compiler has
 * made of its first module. Modules that it loads only when it needs them are files beside it. Packages stay by themselves.
 *
 * The bundler has to leave constants constant: V8 compiles their values into the code that uses them, and esbuild makes variables of them.
 */
export async function bundleProgram(root: string, source: string): Promise<void> {
  const { dir, name } = parse(compiledPath(root, join(root, source)));
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
  for (const file of output) replaceFile(join(dir, file.fileName), file.type === 'chunk' ? file.code : file.source);
  const written = new Set(output.map(({ fileName }) => fileName));
  const chunk = new RegExp(`^${name.replaceAll('.', '\\.')}\\.[\\w.-]+-[\\w-]{8}\\.js(\\.map)?$`);
  for (const file of readdirSync(dir)) if (chunk.test(file) && !written.has(file)) rmSync(join(dir, file));
}

/** A control plane is five hundred modules, which take longer to find and compile than all packages and the work of its start. */
export async function bundlePrograms(root: string): Promise<void> {
  await Promise.all(PROGRAMS.map((source) => bundleProgram(root, source)));
}
