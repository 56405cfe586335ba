import { join } from 'node:path';
import { writeAsOneFile } from '../../deploy/packages/one-file.js';

/**
 * Writes tap as one file below `dist/test/node_modules`, for the tests alone. tap is some three hundred modules, which take a process longer
 * to find and compile than most test files take to run.
 */
export async function bundleTap(root: string): Promise<void> {
  // tap leaves frames of packages of this scope out of the stacks that it reports.
  const file = join('node_modules', '@tapjs', 'tap.js');
  await writeAsOneFile(root, join(root, 'dist', 'test', 'node_modules'), { name: 'tap', file, kind: 'module' });
}
