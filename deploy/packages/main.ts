import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeAsOneFile } from './one-file.js';

/**
 * The packages that every process, thread and command of the control plane loads, and that are many small modules: typebox is 373, which
 * are a quarter of all that the control plane loads, and take it a fifth of a second.
 */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

await writeAsOneFile(ROOT, join(ROOT, 'dist', 'node_modules'), { name: 'typebox', file: 'typebox.js' });
