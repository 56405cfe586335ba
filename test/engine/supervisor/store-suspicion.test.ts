import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { answersFolder, storeFolder } from '../../../engine/store/copies.js';
import { NO_GENERATION, readPointer, reportedDamage, swapPointer } from '../../../engine/store/generations.js';
import { createStoreSuspicion } from '../../../engine/supervisor/store-suspicion.js';
import { createLogger } from '../../../shared/base/log.js';
import { CODEC_VERSION } from '../../../shared/feed/codec.js';

const log = createLogger('test', 'silent');
const COPY = `copy-${CODEC_VERSION}`;

t.test('a suspected generation is first marked, and is taken out of use at the next suspicion', async (t) => {
  const dataDir = t.testdir({ [COPY]: { store: { 'g-1': { 'data.mdb': 'bytes' } } } });
  const folder = storeFolder(dataDir);
  swapPointer(folder, 'g-1');
  const raise = createStoreSuspicion(dataDir, log);
  raise();
  t.match(reportedDamage(folder, 'g-1'), /crashing in native code/);
  t.equal(readPointer(folder), 'g-1', 'the generation still serves');
  raise();
  t.equal(readPointer(folder), NO_GENERATION);
  t.equal(readFileSync(join(folder, 'damaged', 'data.mdb'), 'utf8'), 'bytes', 'the generation is kept for inspection');
  t.doesNotThrow(raise, 'there is no store to suspect');
});

t.test('a newer generation is marked first as well', async (t) => {
  const dataDir = t.testdir({ [COPY]: { store: { 'g-1': {}, 'g-2': {} } } });
  const folder = storeFolder(dataDir);
  swapPointer(folder, 'g-1');
  const raise = createStoreSuspicion(dataDir, log);
  raise();
  swapPointer(folder, 'g-2');
  raise();
  t.equal(readPointer(folder), 'g-2');
  t.match(reportedDamage(folder, 'g-2'), /crashing in native code/);
});

t.test('the store of remembered answers is suspected as well', async (t) => {
  const dataDir = t.testdir({ [COPY]: { store: { 'g-1': {} }, answers: { 'a-1': {} } } });
  swapPointer(storeFolder(dataDir), 'g-1');
  swapPointer(answersFolder(dataDir), 'a-1');
  const raise = createStoreSuspicion(dataDir, log);
  raise();
  t.match(reportedDamage(answersFolder(dataDir), 'a-1'), /crashing in native code/);
  raise();
  t.equal(readPointer(answersFolder(dataDir)), NO_GENERATION);
});

t.test('a mark that cannot be written causes no error, and the store stays in use', async (t) => {
  const dataDir = t.testdir({ [COPY]: { store: { 'g-1': {}, 'g-1.suspect': {} } } });
  const folder = storeFolder(dataDir);
  swapPointer(folder, 'g-1');
  t.doesNotThrow(createStoreSuspicion(dataDir, log));
  t.equal(readPointer(folder), 'g-1');
});
