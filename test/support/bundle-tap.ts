import { join } from 'node:path';
import { writeAsOneFile } from '../../deploy/packages/one-file.js';

/**
 * `import t from 'tap'` is the root of the process, or, in a process that several files share, the test that stands for
 * the file: the one that `standFor` was last called with. Methods are bound, because those of tap have private fields.
 *
 * An uncaught error fails the running test, as in tap, unless somebody else handles such errors.
 */
const CURRENT_TEST = `
import root from 'tap'; export * from 'tap';
let current = root;
export const standFor = (test) => { current = test; };
export default new Proxy(root, {
  get(_, name) {
    const value = Reflect.get(current, name);
    return typeof value === 'function' ? value.bind(current) : value;
  },
  set: (_, name, value) => Reflect.set(current, name, value),
});
const running = (test) => {
  const [subtest] = [...test.activeSubtests ?? []].reverse();
  return subtest === undefined ? test : running(subtest);
};
process.on('uncaughtExceptionMonitor', (error, origin) => {
  if (process.hasUncaughtExceptionCaptureCallback() || process.listenerCount('uncaughtException') > 0) return;
  running(root).hookDomain.onerror(error, origin);
  // The process goes on, once.
  process.setUncaughtExceptionCaptureCallback(() => process.setUncaughtExceptionCaptureCallback(null));
});`;

/**
 * tap's own finds, with an async hook, in whose course an error was thrown. With such a hook each promise of the
 * service costs more: up to a sixth of the CPU time of a file of tests.
 */
const DOMAIN = `
export class Domain {
  constructor(onerror) { this.onerror = onerror; }
  destroy() {}
}`;

/**
 * Writes tap as one file below `dist/test/node_modules`, for the tests alone. tap consists of some three hundred
 * modules, which take a process longer to find and compile than most test files take to run.
 */
export async function bundleTap(root: string): Promise<void> {
  // tap leaves out frames of packages of this scope from the stacks that it reports.
  const file = join('node_modules', '@tapjs', 'tap.js');
  const tap = { name: 'tap', file, kind: 'module', source: CURRENT_TEST, replaced: { 'async-hook-domain': DOMAIN } } as const;
  await writeAsOneFile(root, join(root, 'dist', 'test', 'node_modules'), tap);
}
