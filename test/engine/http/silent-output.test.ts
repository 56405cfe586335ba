import { execFileSync } from 'node:child_process';
import t from 'tap';

const MODULE = new URL('../../../engine/http/silent-output.js', import.meta.url).href;

/** What a process prints that calls the C library's `puts`, which buffers its output for as long as it can. */
function printed(statements: string): string {
  const script = `
    import koffi from 'koffi';
    import { withoutOutput } from '${MODULE}';
    const puts = koffi.load(null).func('int puts(const char *text)');
    ${statements}`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
}

t.test('output during a silenced call is discarded, and output before and after it stays', async (t) => {
  t.same(
    printed(`puts('before'); console.log('log'); withoutOutput(() => void puts('noise')); puts('after'); console.log('end');`)
      .trim()
      .split('\n')
      .sort(),
    ['after', 'before', 'end', 'log'],
  );
});

t.test('output works again after a silenced call that fails', async (t) => {
  t.match(printed(`try { withoutOutput(() => { throw new Error('x') }); } catch { console.log('caught'); }`), /^caught\n$/);
});
