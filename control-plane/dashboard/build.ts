import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import { compressFiles, filesBelow } from '../http/compress-files.js';
import { worldMap } from './world-map.js';

/**
 * Builds the dashboard into static files below `dist/dashboard`, each beside its brotli and gzip form. Addresses are
 * relative, so that the page works below any path of a proxy. Does nothing if what it is made of has not changed.
 */

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCE = join(ROOT, 'control-plane', 'dashboard');
const TARGET = join(ROOT, 'dist', 'dashboard');
const FINGERPRINT = join(TARGET, '.fingerprint');

/** The script of the page, which the first one imports. */
const PAGE = join(SOURCE, 'page.tsx');

/**
 * Modules that several screens use: as files of their own they would be dozens of a kilobyte, and over HTTP/1.1 a browser asks for six
 * at once. Those that are large and seldom needed stay by themselves: German, the chart's library, the map.
 */
const COMMON =
  /\/control-plane\/dashboard\/(?:(?:api|charts|format|language|parts|session)\/(?!german|plot|world-map).*|forms\/fields|screens\/(?:analytics\/measures|links\/(?:link-row|link-search|tags)|webhooks\/endpoint-state))\.tsx?$/;
/** The first script imports these alone, and what Vite has it import other files by. */
const FIRST = /\/(?:chosen|early-answers|languages|stored-session)\.ts$|vite\/preload-helper|rolldown\/runtime/;

/**
 * React's interface as Preact has it, in the libraries too: React itself is 40 KB, more than all that the dashboard's first screen
 * is made of, and a fifth of a second on a slow line.
 */
const PREACT = [
  { find: /^react(?:-dom)?$/, replacement: 'preact/compat' },
  { find: 'react-dom/client', replacement: 'preact/compat/client' },
  { find: 'react/jsx-runtime', replacement: 'preact/jsx-runtime' },
] as const;

/** Returns a checksum of all sources of the files. Of `shared/` only what is shipped counts: types are erased. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const file of [...filesBelow(SOURCE), ...filesBelow(join(ROOT, 'shared', 'base')), join(ROOT, 'package-lock.json')]) {
    const content = readFileSync(file);
    hash.update(`${file.slice(ROOT.length)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** The page's script is named in the page, so that it comes with the first one, which imports it: a round trip less to wait. */
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

/** The map as a module of its own. */
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
        // Libraries say 'use client' for servers that render, which there are none of here.
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
  compressFiles(TARGET);
  // Last, so that a build that was interrupted is made again.
  writeFileSync(FINGERPRINT, current);
}
