import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeAsOneFile } from './one-file.js';
import { bundlePrograms } from './programs.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Packages that all processes, threads and commands of the control plane load, and that consist of many modules, or of one large module
 * with all its data in two forms. Together they took four tenths of a second of a control plane's start.
 */
const PACKAGES = [
  { name: 'fastify', file: 'fastify.js', kind: 'commonjs' },
  { name: 'pngjs', file: 'pngjs.js', kind: 'commonjs' },
  { name: 'prom-client', file: 'prom-client.js', kind: 'commonjs' },
  { name: 'tldts', file: 'tldts.js', kind: 'commonjs' },
  { name: 'typebox', file: 'typebox.js', kind: 'module' },
  { name: 'undici', file: 'undici.js', kind: 'commonjs' },
] as const;

for (const one of PACKAGES) await writeAsOneFile(ROOT, join(ROOT, 'dist', 'node_modules'), one);
await bundlePrograms(ROOT);
