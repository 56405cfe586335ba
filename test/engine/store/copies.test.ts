import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { answersFolder, copyLock, hasOtherCopies, removeOtherCopies, storeFolder } from '../../../engine/store/copies.js';
import { formatIdentity, identify } from '../../../shared/base/process-identity.js';
import { takeLock } from '../../../shared/base/process-lock.js';
import { CODEC_VERSION } from '../../../shared/feed/codec.js';

t.test('all data in the codec is in a folder whose name has the version of the codec', async (t) => {
  const folder = join('/data', `copy-${CODEC_VERSION}`);
  for (const path of [storeFolder('/data'), answersFolder('/data'), copyLock('/data')]) t.ok(path.startsWith(folder));
});

t.test('copies of other releases are recognised, and only they are removed', async (t) => {
  const dataDir = t.testdir({ 'copy-4': { store: {} }, store: {}, answers: {}, spool: {}, engine: {}, 'copy-of-mine': {} });
  mkdirSync(storeFolder(dataDir), { recursive: true });
  t.ok(hasOtherCopies(dataDir));
  t.same([...removeOtherCopies(dataDir)].sort(), ['answers', 'copy-4', 'store']);
  t.same(readdirSync(dataDir).sort(), [`copy-${CODEC_VERSION}`, 'copy-of-mine', 'engine', 'spool'].sort());
  t.notOk(hasOtherCopies(dataDir));
});

t.test('a copy that another process writes is not removed', async (t) => {
  const dataDir = t.testdir({ 'copy-990': {} });
  const self = identify(process.pid);
  if (self === null) return t.fail('this process has no identity');
  writeFileSync(join(dataDir, 'copy-990', 'writer'), formatIdentity(self));
  t.same(removeOtherCopies(dataDir), []);
  t.same(readdirSync(dataDir), ['copy-990']);
});

t.test('a folder that does not exist yet has no copies, and its lock can be taken', async (t) => {
  const dataDir = join(t.testdir(), 'new');
  t.notOk(hasOtherCopies(dataDir));
  t.equal(takeLock(copyLock(dataDir)).outcome, 'held');
});
