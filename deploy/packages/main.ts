import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OneFile, writeAsOneFile } from './one-file.js';
import { bundlePrograms } from './programs.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Node.js 20 has no navigator, and without one pg finds out by a `Response` where it runs, which loads all of `fetch`. */
const NAVIGATOR = JSON.stringify({ userAgent: 'Node.js' });

/**
 * Packages that most processes, threads and commands load, and that consist of many modules, or of one large module with
 * all its data in two forms. Together they took half of the CPU time of a start.
 */
const PACKAGES: readonly OneFile[] = [
  { name: '@clickhouse/client', file: 'client.js', kind: 'commonjs' },
  {
    name: 'ajv',
    file: 'dist/2020.js',
    kind: 'commonjs',
    source: "export { Ajv2020 } from 'ajv/dist/2020.js'; export { Ajv } from 'ajv';",
  },
  { name: 'fastify', file: 'fastify.js', kind: 'commonjs' },
  { name: 'ipaddr.js', file: 'ipaddr.js', kind: 'commonjs' },
  { name: 'maxmind', file: 'maxmind.js', kind: 'commonjs' },
  { name: 'pg', file: 'pg.js', kind: 'module', constants: { navigator: NAVIGATOR } },
  {
    name: 'pg-listen',
    file: 'pg-listen.js',
    kind: 'commonjs',
    // The same pg as everybody's, and one that reads a file beside itself.
    replaced: { pg: "export { Client } from 'pg';", 'pg-format': "export { default } from 'pg-format';" },
  },
  { name: 'pino', file: 'pino.js', kind: 'commonjs' },
  { name: 'pngjs', file: 'pngjs.js', kind: 'commonjs' },
  { name: 'prom-client', file: 'prom-client.js', kind: 'commonjs' },
  { name: 'tldts', file: 'tldts.js', kind: 'commonjs' },
  { name: 'typebox', file: 'typebox.js', kind: 'module' },
  {
    name: 'undici',
    file: 'undici.js',
    kind: 'commonjs',
    // What the service uses of it. All of it takes three times as long to load: it has a `fetch`, caches and WebSockets.
    source: `import Client from 'undici/lib/dispatcher/client.js';
      import api from 'undici/lib/api/index.js';
      Object.assign(Client.prototype, api);
      export { default as errors } from 'undici/lib/core/errors.js';
      export { Client };`,
  },
];

for (const one of PACKAGES) await writeAsOneFile(ROOT, join(ROOT, 'dist', 'node_modules'), one);
await bundlePrograms(ROOT);
