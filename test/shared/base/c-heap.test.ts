import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const GLIBC = 'glibcVersionRuntime' in (process.report as unknown as { getReport(): { header: object } }).getReport().header;
const skip = GLIBC ? false : 'not glibc';

/** What the statements print in a process of its own, because the free memory in the heap of this one is unpredictable. */
function megabytesPrinted(statements: string): number {
  const program = `
    const { loadCHeap } = await import(${JSON.stringify(fileURLToPath(new URL('../../../shared/base/c-heap.js', import.meta.url)))});
    const { readFileSync } = await import('node:fs');
    const heap = loadCHeap();
    const megabytes = () => Number(/^RssAnon:\\s+(\\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
    const collected = () => { gc(); return new Promise((resolve) => setTimeout(resolve, 100)); };
    ${statements}`;
  return Number(execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', program], { encoding: 'utf8' }));
}

t.test('a trim returns free memory between used chunks to the system', { skip }, async (t) => {
  const megabytes = megabytesPrinted(`
    let buffers = Array.from({ length: 4000 }, () => Buffer.alloc(20_000, 1));
    buffers = buffers.filter((_, index) => index % 10 === 0);
    await collected();
    const before = megabytes();
    heap.trim();
    console.log(before - megabytes());
    if (buffers.length !== 400) throw new Error('unused');`);
  // 80 MB were filled, and 8 MB are still held.
  t.ok(megabytes > 30, `${megabytes} MB`);
});

t.test('with fixed thresholds large pieces of memory are returned at once, whatever was freed before', { skip }, async (t) => {
  const kept = (fix: string): number =>
    megabytesPrinted(`
      ${fix}
      // A larger piece is freed: from then on glibc, left to itself, has pieces up to its size lie in its heap.
      (() => Buffer.alloc(30_000_000, 1))();
      await collected();
      const before = megabytes();
      let buffers = Array.from({ length: 20 }, () => Buffer.alloc(2_000_000, 1));
      buffers = [];
      await collected();
      console.log(megabytes() - before);
      if (buffers.length !== 0) throw new Error('unused');`);
  const asItIs = kept('');
  const fixed = kept('heap.fixThresholds();');
  // 40 MB were filled and freed.
  t.ok(fixed < asItIs - 20, `${fixed} MB kept, ${asItIs} MB without`);
});
