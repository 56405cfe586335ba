import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { withFile } from '../../../engine/tls/memory-file.js';

t.test('a text can be read from a path during the call, and no longer after it', async (t) => {
  const paths: string[] = [];
  const read = withFile('one', (one) =>
    withFile('two', (two) => {
      paths.push(one, two);
      return [readFileSync(one, 'latin1'), readFileSync(two, 'latin1'), readFileSync(one, 'latin1')];
    }),
  );
  t.same(read, ['one', 'two', 'one']);
  t.not(paths[0], paths[1]);
  for (const path of paths) t.notOk(existsSync(path), path);
  if (process.platform === 'linux') t.match(paths[0], /^\/proc\/self\/fd\/\d+$/, 'the file is not on a disk');
});

t.test('the file is gone after a call that fails as well', async (t) => {
  let left = '';
  t.throws(
    () =>
      withFile('x', (path) => {
        left = path;
        throw new Error('failed');
      }),
    { message: 'failed' },
  );
  t.notOk(existsSync(left));
});
