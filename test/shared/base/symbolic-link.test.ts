import { join } from 'node:path';
import t from 'tap';
import { readSymbolicLink } from '../../../shared/base/symbolic-link.js';

t.test('a symbolic link is read without following it; null is returned if there is none', async (t) => {
  const folder = t.testdir({ link: t.fixture('symlink', 'target'), file: 'content' });
  t.equal(readSymbolicLink(join(folder, 'link')), 'target');
  t.equal(readSymbolicLink(join(folder, 'missing')), null);
  t.equal(readSymbolicLink(join(folder, 'file')), null);
  t.equal(readSymbolicLink(join(folder, 'file', 'below')), null);
  t.throws(() => readSymbolicLink('x'.repeat(300)), { code: 'ENAMETOOLONG' });
});
