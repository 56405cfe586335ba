import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const GLIBC = 'glibcVersionRuntime' in (process.report as unknown as { getReport(): { header: object } }).getReport().header;

/**
 * Fills the C library's heap with buffers, lets nine of ten go, and says by how many megabytes a trim makes the process
 * smaller. In a process of its own: what is free in the heap of this one is nobody's business.
 */
const PROGRAM = `
  const { loadHeapTrim } = await import(${JSON.stringify(fileURLToPath(new URL('../../../shared/base/heap-trim.js', import.meta.url)))});
  const { readFileSync } = await import('node:fs');
  const megabytes = () => Number(/^RssAnon:\\s+(\\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
  let buffers = Array.from({ length: 4000 }, () => Buffer.alloc(20_000, 1));
  buffers = buffers.filter((_, index) => index % 10 === 0);
  gc();
  await new Promise((resolve) => setTimeout(resolve, 100));
  const before = megabytes();
  loadHeapTrim()();
  console.log(before - megabytes());
  if (buffers.length !== 400) throw new Error('unused');
`;

t.test('what lies free between chunks in use goes back to the system', { skip: GLIBC ? false : 'not glibc' }, async (t) => {
  const printed = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', PROGRAM], { encoding: 'utf8' });
  // 80 MB were filled, 8 are held.
  t.ok(Number(printed) > 30, `${printed.trim()} MB`);
});
