import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import ts from 'typescript';

/**
 * Builds the two packages into `dist/sdk`, each ready for `npm pack`: npm run sdk.
 *
 *     esm/   one module with everything in it, and its declarations
 *     cjs/   the same for `require`, with a package.json that says so, because declarations too are of one kind or the other
 */

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCE = join(ROOT, 'shared', 'sdk');

interface Sdk {
  readonly folder: string;
  readonly entry: string;
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly platform: 'node' | 'neutral';
  /** The oldest runtime that supports the syntax. */
  readonly target: string;
  readonly minify: boolean;
}

const SDKS: readonly Sdk[] = [
  {
    folder: 'server',
    entry: 'server.ts',
    manifest: {
      name: '@link-service/server',
      description: 'The link service for servers: links, resource types, templates, metadata APIs, webhooks and figures.',
      engines: { node: '>=20' },
    },
    platform: 'node',
    target: 'node20',
    minify: false,
  },
  {
    folder: 'client',
    entry: 'browser.ts',
    manifest: {
      name: '@link-service/client',
      description: 'The link service for browsers and React Native: links, what opened the app, and events.',
    },
    platform: 'neutral',
    target: 'es2020',
    minify: true,
  },
];

/** The declarations of the SDK's own modules, by file name. */
function declarationsOf(entry: string): ReadonlyMap<string, string> {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const { incremental: _, tsBuildInfoFile: __, ...kept } = options;
  const program = ts.createProgram([join(SOURCE, entry)], {
    ...kept,
    declaration: true,
    emitDeclarationOnly: true,
    sourceMap: false,
    // The compiler of the whole repository has checked them.
    noCheck: true,
  });
  const found = new Map<string, string>();
  program.emit(undefined, (path, text) => {
    if (path.includes(`${join('shared', 'sdk')}/`)) found.set(basename(path), text);
  });
  return found;
}

/**
 * Returns the location of the source, from the variables of a GitHub workflow; nothing elsewhere. npm refuses a package
 * with provenance if its manifest names a different repository from the workflow's, or none.
 */
function repositoryOf({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository }: NodeJS.ProcessEnv) {
  if (server === undefined || repository === undefined) return {};
  return { repository: { type: 'git', url: `git+${server}/${repository}.git`, directory: 'shared/sdk' } };
}

async function buildSdk(sdk: Sdk, target: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const { version, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string; license: string };
  const declarations = declarationsOf(sdk.entry);
  const types = sdk.entry.replace('.ts', '.d.ts');
  rmSync(target, { recursive: true, force: true });
  for (const [folder, format, type] of [
    ['esm', 'esm', 'module'],
    ['cjs', 'cjs', 'commonjs'],
  ] as const) {
    mkdirSync(join(target, folder), { recursive: true });
    await build({
      entryPoints: [join(SOURCE, sdk.entry)],
      outfile: join(target, folder, 'index.js'),
      bundle: true,
      format,
      platform: sdk.platform,
      target: sdk.target,
      minify: sdk.minify,
      logLevel: 'warning',
    });
    for (const [name, text] of declarations) writeFileSync(join(target, folder, name), text);
    writeFileSync(join(target, folder, 'package.json'), `${JSON.stringify({ type, sideEffects: false })}\n`);
  }
  const condition = (folder: string) => ({ types: `./${folder}/${types}`, default: `./${folder}/index.js` });
  const manifest = {
    ...sdk.manifest,
    version,
    license,
    ...repositoryOf(environment),
    type: 'module',
    sideEffects: false,
    main: './cjs/index.js',
    module: './esm/index.js',
    types: `./cjs/${types}`,
    exports: { '.': { import: condition('esm'), require: condition('cjs') }, './package.json': './package.json' },
    files: ['esm', 'cjs'],
  };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(SOURCE, `${sdk.folder}.md`), join(target, 'README.md'));
  copyFileSync(join(ROOT, 'LICENSE'), join(target, 'LICENSE'));
}

/** Returns the folders of the packages, below `folder`. */
export async function buildSdks(folder: string, environment: NodeJS.ProcessEnv = process.env): Promise<readonly string[]> {
  await Promise.all(SDKS.map((sdk) => buildSdk(sdk, join(folder, sdk.folder), environment)));
  return SDKS.map((sdk) => join(folder, sdk.folder));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) for (const built of await buildSdks(join(ROOT, 'dist', 'sdk'))) console.log(built);
