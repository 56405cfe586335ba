import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import { compressFiles, filesBelow } from '../http/compress-files.js';
import { worldMap } from './world-map.js';

/**
 * Builds the dashboard into static files below `dist/dashboard`, each with its brotli and gzip forms next to it. Addresses are relative, so
 * that the page works below any path of a proxy. Does nothing if the sources have not changed.
 */

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCE = join(ROOT, 'control-plane', 'dashboard');
const TARGET = join(ROOT, 'dist', 'dashboard');
const FINGERPRINT = join(TARGET, '.fingerprint');

/** The page's main script, which the first script imports. */
const PAGE = join(SOURCE, 'page.tsx');

/**
 * Modules that several screens use. As separate files, there would be dozens of them of about a kilobyte each, and over HTTP/1.1 a browser
 * requests only six at once. Modules that are large and seldom needed stay separate: German, the chart library, the map.
 */
const COMMON =
  /\/control-plane\/dashboard\/(?:(?:api|charts|format|language|parts|session)\/(?!german|plot|world-map).*|forms\/fields|screens\/(?:analytics\/measures|links\/(?:link-row|link-search|tags)|webhooks\/endpoint-state))\.tsx?$/;
/** The first script imports only these modules, and the helpers by which Vite imports other files. */
const FIRST = /\/(?:chosen|early-answers|languages|storage|stored-session)\.ts$|vite\/preload-helper|rolldown\/runtime/;

/**
 * Preact's implementation of React's interface, for libraries as well. React itself is 40 KB, which is more than everything on the
 * dashboard's first screen, and takes a fifth of a second on a slow line.
 */
const PREACT = [
  { find: /^react(?:-dom)?$/, replacement: 'preact/compat' },
  { find: 'react-dom/client', replacement: 'preact/compat/client' },
  { find: 'react/jsx-runtime', replacement: 'preact/jsx-runtime' },
] as const;

/** Returns a checksum of all sources. Of `shared/`, only the parts that are shipped count, because types are erased. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const file of [...filesBelow(SOURCE), ...filesBelow(join(ROOT, 'shared', 'base')), join(ROOT, 'package-lock.json')]) {
    const content = readFileSync(file);
    hash.update(`${file.slice(ROOT.length)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Names the page's main script in the HTML, so that it loads together with the first script, which imports it. This saves a round trip. */
function preloadPage(): Plugin {
  return {
    name: 'preload-page',
    transformIndexHtml: {
      order: 'post',
      handler(_page, { bundle = {} }) {
        const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []));
        const page = chunks.find(({ facadeModuleId }) => facadeModuleId === PAGE);
        if (page === undefined) throw new Error(`${PAGE} is not a file of its own`);
        const needed = new Set([page.fileName]);
        for (const name of needed)
          for (const chunk of chunks) if (chunk.fileName === name) for (const more of chunk.imports) needed.add(more);
        for (const { isEntry, fileName, imports } of chunks)
          if (isEntry) for (const loaded of [fileName, ...imports]) needed.delete(loaded);
        return [...needed].map((name) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${name}` },
          injectTo: 'head',
        }));
      },
    },
  };
}

const WORLD_MAP = 'virtual:world-map';

/** Provides the map as a separate module. */
function worldMapModule(): Plugin {
  return {
    name: 'world-map',
    resolveId: (id) => (id === WORLD_MAP ? `\0${WORLD_MAP}` : null),
    load(id) {
      if (id !== `\0${WORLD_MAP}`) return null;
      const atlas = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('world-atlas/countries-110m.json'), 'utf8'));
      return `export const WORLD_MAP = JSON.parse(${JSON.stringify(JSON.stringify(worldMap(atlas)))});`;
    },
  };
}

const current = fingerprint();
if (!existsSync(FINGERPRINT) || readFileSync(FINGERPRINT, 'utf8') !== current) {
  await build({
    configFile: false,
    root: SOURCE,
    base: './',
    logLevel: 'warn',
    plugins: [worldMapModule(), preloadPage()],
    resolve: { alias: [...PREACT] },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: TARGET,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        // Libraries contain 'use client' for server-side rendering, which is not used here.
        checks: { moduleLevelDirective: false },
        output: {
          codeSplitting: {
            groups: [
              { name: 'first', test: FIRST, priority: 1 },
              { name: 'common', test: COMMON },
            ],
          },
        },
      },
    },
  });
  await compressFiles(TARGET);
  // Written last, so that an interrupted build runs again.
  writeFileSync(FINGERPRINT, current);
}
