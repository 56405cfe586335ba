import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import {
  diedInCheck,
  endCheck,
  isWhole,
  moveAside,
  NO_GENERATION,
  newGenerationName,
  noteBytes,
  readPointer,
  removeOthers,
  reportDamage,
  reportedDamage,
  startCheck,
  swapPointer,
  syncGeneration,
} from '../../../engine/store/generations.js';
import { systemClock } from '../../../shared/base/clock.js';

function generation(folder: string, name: string): void {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'data.mdb'), 'x'.repeat(100));
}

t.test('names are never used twice', async (t) => {
  const names = new Set(Array.from({ length: 1000 }, () => newGenerationName(() => 1)));
  t.equal(names.size, 1000);
  t.match(newGenerationName(systemClock), /^[a-z0-9]+-[0-9a-f]{8}$/);
});

t.test('the pointer replaces whatever has its name, and leaves no other file', async (t) => {
  const folder = t.testdir();
  t.equal(readPointer(folder), null);
  swapPointer(folder, 'a');
  swapPointer(folder, 'b');
  t.equal(readPointer(folder), 'b');
  t.strictSame(readdirSync(folder), ['CURRENT']);
  t.equal(readPointer(join(folder, 'nowhere')), null);
  const other = t.testdir({ file: { CURRENT: 'text' } });
  t.equal(readPointer(join(other, 'file')), null);
  swapPointer(join(other, 'file'), 'c');
  t.equal(readPointer(join(other, 'file')), 'c');
});

t.test('a generation is complete while its file has at least the size that was noted', async (t) => {
  const folder = t.testdir();
  generation(folder, 'g');
  t.equal(isWhole(folder, 'g'), false, 'the generation was never finished');
  await syncGeneration(folder, 'g');
  t.equal(readFileSync(join(folder, 'g', 'bytes'), 'utf8'), '100');
  t.equal(isWhole(folder, 'g'), true);
  writeFileSync(join(folder, 'g', 'data.mdb'), 'x'.repeat(200));
  t.equal(isWhole(folder, 'g'), true, 'the file has grown');
  noteBytes(folder, 'g', 200);
  truncateSync(join(folder, 'g', 'data.mdb'), 199);
  t.equal(isWhole(folder, 'g'), false, 'the file was cut short');
  t.equal(isWhole(folder, 'gone'), false);
});

t.test('a generation that is moved aside is no longer current, and is kept even if it is moved aside again', async (t) => {
  const folder = t.testdir();
  for (const name of ['a', 'b']) generation(folder, name);
  swapPointer(folder, 'a');
  moveAside(folder, 'a');
  t.equal(readPointer(folder), NO_GENERATION);
  swapPointer(folder, 'x');
  writeFileSync(join(folder, 'b', 'mark'), '');
  moveAside(folder, 'b');
  t.equal(readPointer(folder), 'x', 'another one is current');
  t.ok(existsSync(join(folder, 'damaged', 'mark')));
  moveAside(folder, 'b');
  t.ok(existsSync(join(folder, 'damaged', 'mark')), 'the second time there is nothing to move');
});

t.test('only current, kept and damaged generations stay', async (t) => {
  const folder = t.testdir();
  for (const name of ['current', 'kept', 'old', 'damaged']) generation(folder, name);
  swapPointer(folder, 'current');
  reportDamage(folder, 'current', 'reason');
  reportDamage(folder, 'old', 'reason');
  symlinkSync('old', join(folder, 'CURRENT.left-behind'));
  removeOthers(folder, ['kept']);
  t.strictSame(readdirSync(folder).sort(), ['CURRENT', 'current', 'current.suspect', 'damaged', 'kept']);
});

t.test('a report of damage and an unfinished check are remembered on disk', async (t) => {
  const folder = t.testdir();
  generation(folder, 'g');
  t.equal(reportedDamage(folder, 'g'), null);
  reportDamage(folder, 'g', 'a link is damaged');
  t.equal(reportedDamage(folder, 'g'), 'a link is damaged');
  startCheck(folder, 'g');
  t.equal(diedInCheck(folder, 'g'), true);
  endCheck(folder, 'g');
  endCheck(folder, 'g');
  t.equal(diedInCheck(folder, 'g'), false);
});
