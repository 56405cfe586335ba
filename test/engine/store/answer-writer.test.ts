import { mkdirSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { ANSWERS_REFRESH_MS, answerKey, openAnswerReader } from '../../../engine/store/answer-store.js';
import { AnswerWriter, type AnswerWriterOptions } from '../../../engine/store/answer-writer.js';
import { answersFolder } from '../../../engine/store/copies.js';
import { reportDamage } from '../../../engine/store/generations.js';
import { systemClock } from '../../../shared/base/clock.js';
import type { RememberedAnswer } from '../../../shared/metadata/remembered.js';
import { rememberedAnswer } from '../preview/fixtures.js';
import { log } from './store-fixture.js';

function openWriter(t: Test, dataDir: string, options: Partial<AnswerWriterOptions> = {}): AnswerWriter {
  const writer = new AnswerWriter({ dataDir, log, clock: systemClock, bootId: () => 'this boot', ...options });
  t.teardown(() => writer.close());
  return writer;
}

/** Opens a reader whose clock makes it read `CURRENT` again on every call. */
function openReader(t: Test, dataDir: string) {
  let now = 0;
  const reader = openAnswerReader(dataDir, log, () => {
    now += 10_000;
    return now;
  });
  t.teardown(() => reader.close());
  return reader;
}

const KEY = answerKey('rt_1', 'a');
const titled = (title: string): RememberedAnswer => rememberedAnswer({ title });

t.test('a reader finds an answer at once, gets the same object while it is unchanged, and nothing for another key', async (t) => {
  const dir = t.testdir();
  const reader = openReader(t, dir);
  t.equal(reader.find(KEY), undefined, 'the store may be missing');
  t.equal(reader.epoch(), null);
  const writer = openWriter(t, dir);
  writer.put(KEY, titled('one'));
  const found = reader.find(KEY);
  t.match(found?.answer, { outcome: 'ok', metadata: { title: 'one' } });
  t.equal(reader.find(KEY, found), found);
  t.equal(reader.find(answerKey('rt_2', 'a')), undefined, 'another type');
  writer.put(KEY, titled('two'));
  t.equal(reader.find(KEY, found)?.answer.metadata?.title, 'two');
  t.equal(writer.find(KEY)?.metadata?.title, 'two');
});

t.test('a removed answer is no longer found, even by a reader that has just read it', async (t) => {
  const dir = t.testdir();
  const writer = openWriter(t, dir);
  const reader = openReader(t, dir);
  const keys = Array.from({ length: 100 }, (_, n) => answerKey('rt_1', String(n)));
  for (const key of keys) {
    writer.put(key, titled(key));
    const found = reader.find(key);
    const epoch = reader.epoch() as number;
    t.ok(found);
    writer.remove([key]);
    t.equal(reader.find(key, found), undefined);
    t.equal(reader.epoch(), epoch + 1);
  }
  writer.put(KEY, titled('x'));
  writer.clear();
  t.equal(reader.find(KEY), undefined);
});

t.test('the store stays below twice its limit, and the newest answers are kept', async (t) => {
  const dir = t.testdir();
  const bytesMax = 2 * 1024 * 1024;
  const writer = openWriter(t, dir, { bytesMax });
  for (let n = 0; n < 20_000; n++) writer.put(answerKey('rt_1', String(n)), titled('x'.repeat(300)));
  const reader = openReader(t, dir);
  t.ok(reader.find(answerKey('rt_1', '19999')));
  t.ok(reader.find(answerKey('rt_1', '18500')));
  t.equal(reader.find(answerKey('rt_1', '0')), undefined);
  const { size } = statSync(join(answersFolder(dir), readlinkSync(join(answersFolder(dir), 'CURRENT')), 'data.mdb'));
  t.ok(size < 2 * bytesMax, `${size} bytes`);
});

t.test('answers and notes are there for the next process of the same boot, and are gone after a reboot', async (t) => {
  const dir = t.testdir();
  const first = openWriter(t, dir);
  first.put(KEY, titled('one'));
  first.note('n/a/1', 'x');
  first.note('n/a/2', 'y');
  first.note('n/b', 'z');
  await first.close();
  const second = openWriter(t, dir);
  t.equal(second.find(KEY)?.metadata?.title, 'one');
  t.strictSame(second.notes('n/a/'), [
    ['n/a/1', 'x'],
    ['n/a/2', 'y'],
  ]);
  await second.close();
  for (const bootId of [() => 'another boot', () => null]) {
    const later = openWriter(t, dir, { bootId });
    t.equal(later.find(KEY), undefined);
    t.strictSame(later.notes('n/'), []);
    await later.close();
  }
});

t.test('a store that a reader reported as damaged, or that was deleted, is replaced by an empty one', async (t) => {
  const dir = t.testdir();
  const writer = openWriter(t, dir);
  const reader = openReader(t, dir);
  const name = () => readlinkSync(join(answersFolder(dir), 'CURRENT'));
  const first = name();
  writer.put(KEY, titled('one'));
  t.ok(reader.find(KEY));
  reportDamage(answersFolder(dir), first, 'a reader said so');
  writer.inspect();
  t.not(name(), first);
  t.equal(writer.thrownAway, 1);
  t.equal(reader.find(KEY), undefined);
  writer.put(KEY, titled('two'));
  t.equal(reader.find(KEY)?.answer.metadata?.title, 'two');
  rmSync(answersFolder(dir), { recursive: true });
  writer.inspect();
  writer.put(KEY, titled('three'));
  t.equal(reader.find(KEY)?.answer.metadata?.title, 'three');
  writer.inspect();
  t.equal(readdirSync(answersFolder(dir)).length, 2, 'CURRENT and the folder that it names');
});

t.test('while no store can be created nothing is remembered and nothing fails, and later the store works', async (t) => {
  const dir = join(t.testdir(), 'data');
  mkdirSync(dirname(answersFolder(dir)), { recursive: true });
  writeFileSync(answersFolder(dir), 'in the way');
  const writer = openWriter(t, dir);
  writer.put(KEY, titled('one'));
  writer.remove([KEY]);
  t.strictSame([writer.find(KEY), writer.epoch(), writer.notes('n/')], [undefined, null, []]);
  rmSync(answersFolder(dir));
  writer.inspect();
  writer.put(KEY, titled('one'));
  t.equal(openReader(t, dir).find(KEY)?.answer.metadata?.title, 'one');
  t.ok(ANSWERS_REFRESH_MS < 20);
});
