import { join } from 'node:path';
import t from 'tap';
import { openConfigReader } from '../../../engine/config/config-reader.js';
import { StoredTable } from '../../../engine/config/stored-table.js';
import type { ConfigWriter } from '../../../engine/store/config-writer.js';
import { storeFolder } from '../../../engine/store/copies.js';
import { openEnvironment, type StoreEnvironment, writeTransaction } from '../../../engine/store/environment.js';
import { readPointer } from '../../../engine/store/generations.js';
import { campaignKey, domainKey, environmentKey, readNumber, TABLES_KEY } from '../../../engine/store/keys.js';
import { type StoreChange, writeChange } from '../../../engine/store/store-change.js';
import fc from '../../support/properties.js';
import { domainRecord } from '../fixtures.js';
import { build, cursor, environment, log, putEnvironment, tick } from '../store/store-fixture.js';
import { openBoth } from './open-both.js';

const NO_UTM = { utm_source: null, utm_medium: null, utm_campaign: null, utm_term: null, utm_content: null };

function campaignChange(number: number, source: string | null): StoreChange {
  const id = `cmp_${number}`;
  const record = { id, environment_number: 1, key: `c${number}`, utm: { ...NO_UTM, utm_source: source } };
  return { id, key: campaignKey(1, id), record: source === null ? null : record, changesTable: true };
}

function domainChange(number: number, isStored: boolean): StoreChange {
  const record = domainRecord({ id: `dom_${number}`, hostname: `d${number}.example` });
  return { id: record.id, key: domainKey(1, record.id), record: isStored ? record : null, changesTable: true };
}

function environmentChange(number: number, name: string): StoreChange {
  return putEnvironment({ ...environment(number), project_name: name });
}

/** The store's environment, to change it as another release would. */
function openStore(dir: string): StoreEnvironment {
  const folder = storeFolder(dir);
  return openEnvironment(join(folder, readPointer(folder) as string), 'read').environment;
}

/** Changes the store as a release does that does not say which keys it has changed. */
function applySilently(store: StoreEnvironment, changes: readonly StoreChange[]): void {
  writeTransaction(store, () => {
    for (const change of changes) writeChange(store, change);
    store.putSync(TABLES_KEY, Buffer.from(String(readNumber(store, TABLES_KEY) + 1)));
  });
}

t.test('after a change, what has not changed is not read again', async (t) => {
  const dir = t.testdir();
  const { writer, reader } = openBoth(t, dir);
  await build(writer, [environmentChange(1, 'a'), domainChange(1, true), campaignChange(1, 'a'), campaignChange(3, 'a')]);
  const before = reader.readTableInput();
  // Not counted, so that only a reader that reads all campaigns finds it.
  writeTransaction(openStore(dir), () => writeChange(openStore(dir), campaignChange(2, 'hidden')));
  writer.apply([campaignChange(1, 'b'), campaignChange(0, 'b')], cursor(2));
  await tick();
  const after = reader.readTableInput();
  t.strictSame(
    after.campaigns.map(({ id, utm }) => [id, utm?.utm_source]),
    [
      ['cmp_0', 'b'],
      ['cmp_1', 'b'],
      ['cmp_3', 'a'],
    ],
  );
  t.equal(after.campaigns[2], before.campaigns[1], 'the same object');
  t.equal(after.environments, before.environments, 'the same list');
  t.equal(after.domains, before.domains);
  writer.apply([campaignChange(1, null)], cursor(3));
  await tick();
  t.strictSame(
    reader.readTableInput().campaigns.map(({ id }) => id),
    ['cmp_0', 'cmp_3'],
  );
});

t.test('everything is read again after a release that does not say what it has changed, and in a new generation', async (t) => {
  const dir = t.testdir();
  const { writer, reader } = openBoth(t, dir);
  await build(writer, [environmentChange(1, 'a'), campaignChange(1, 'a')]);
  writer.apply([campaignChange(2, 'a')], cursor(2));
  await tick();
  t.equal(reader.readTableInput().campaigns.length, 2);
  applySilently(openStore(dir), [campaignChange(1, null)]);
  await tick();
  t.equal(reader.readTableInput().campaigns.length, 1);
  await build(writer, [environmentChange(1, 'a'), campaignChange(7, 'a')]);
  await tick();
  t.strictSame(
    reader.readTableInput().campaigns.map(({ id }) => id),
    ['cmp_7'],
  );
});

t.test('a value that could not be read is read again with the next change, whatever that is', async (t) => {
  const dir = t.testdir();
  const { writer } = openBoth(t, dir);
  await build(writer, [environmentChange(1, 'a'), campaignChange(1, 'a')]);
  const store = openStore(dir);
  const whole = store.getBinary(campaignKey(1, 'cmp_1')) as Buffer;
  const table = new StoredTable();
  const damaged: string[] = [];
  const read = () => table.read('generation', store, (key) => damaged.push(key));
  writeTransaction(store, () => store.putSync(campaignKey(1, 'cmp_1'), Buffer.concat([whole, Buffer.from('x')])));
  await tick();
  read();
  t.strictSame(damaged, [campaignKey(1, 'cmp_1')]);
  t.match(table.input(), { complete: false, campaigns: [] });
  writeTransaction(store, () => store.putSync(campaignKey(1, 'cmp_1'), whole));
  writer.apply([environmentChange(2, 'a')], cursor(2));
  await tick();
  read();
  t.match(table.input(), { complete: true, campaigns: [{ id: 'cmp_1' }] });
  t.equal(table.input().environments.length, 2);
});

type Step = (writer: ConfigWriter, dir: string, position: number) => Promise<void>;

const change = fc.oneof(
  fc.tuple(fc.nat(20), fc.option(fc.constantFrom('a', 'b'))).map(([number, source]) => campaignChange(number, source)),
  fc.tuple(fc.nat(5), fc.boolean()).map(([number, isStored]) => domainChange(number, isStored)),
  fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom('a', 'b')).map(([number, name]) => environmentChange(number, name)),
);
const some = fc.array(change, { minLength: 1, maxLength: 5 });
const many = fc.constant(Array.from({ length: 1001 }, (_, number) => campaignChange(number, 'many')));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: some.map(
      (changes): Step =>
        async (writer, _, position) =>
          writer.apply(changes, cursor(position)),
    ),
  },
  {
    weight: 1,
    arbitrary: many.map(
      (changes): Step =>
        async (writer, _, position) =>
          writer.apply(changes, cursor(position)),
    ),
  },
  {
    weight: 2,
    arbitrary: some.map(
      (changes): Step =>
        async (_, dir) =>
          applySilently(openStore(dir), changes),
    ),
  },
  {
    weight: 1,
    arbitrary: some.map(
      (changes): Step =>
        (writer) =>
          build(writer, [environmentChange(1, 'built'), ...changes]),
    ),
  },
);

t.test('property: a reader that follows knows the same as one that reads everything', async (t) => {
  const dir = t.testdir();
  const { writer, reader } = openBoth(t, dir);
  await build(writer, [environmentChange(1, 'a')]);
  let position = 1;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 12 }), async (steps) => {
      for (const [apply, isRead] of steps) {
        position += 1;
        await apply(writer, dir, position);
        await tick();
        if (!isRead) continue;
        const fresh = openConfigReader(dir, log);
        t.strictSame(reader.readTableInput(), fresh.readTableInput());
        await fresh.close();
      }
    }),
    { numRuns: 60 },
  );
  t.ok(reader.readTableInput().complete);
});

t.test('environments are in the order of their numbers, whichever came first', async (t) => {
  const { writer, reader } = openBoth(t, t.testdir());
  await build(writer, [environmentChange(40, 'a'), environmentChange(2, 'a')]);
  t.equal(reader.readTableInput().environments.length, 2);
  writer.apply([environmentChange(37, 'a'), environmentChange(1, 'a')], cursor(2));
  await tick();
  t.strictSame(
    reader.readTableInput().environments.map(({ number }) => number),
    [1, 2, 37, 40],
  );
  t.equal(environmentKey(37) < environmentKey(40), true);
});
