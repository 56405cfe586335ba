import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeAsOneFile } from './one-file.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Packages that all processes, threads and commands of the control plane load, and that are many modules or one large one with all its
 * data in two forms. Together they took a control plane a third of a second of its start.
 */
const PACKAGES = [
  { name: 'tldts', file: 'tldts.js', kind: 'commonjs' },
  { name: 'typebox', file: 'typebox.js', kind: 'module' },
  { name: 'undici', file: 'undici.js', kind: 'commonjs' },
] as const;

for (const one of PACKAGES) await writeAsOneFile(ROOT, join(ROOT, 'dist', 'node_modules'), one);
