import t, { type Test } from 'tap';
import { type OpenEnvironment, openEnvironment, writeTransaction } from '../../../engine/store/environment.js';
import { TABLE_CHANGES_KEY, TABLES_KEY } from '../../../engine/store/keys.js';
import {
  encodeTableChanges,
  NO_TABLE_CHANGES,
  readChangesSince,
  type TableChanges,
  withTransaction,
} from '../../../engine/store/table-changes.js';

const add = (known: TableChanges, keys: readonly string[]) => withTransaction(known, known.tables, keys);
const NO_CHANGES: TableChanges = { ...NO_TABLE_CHANGES, tables: 7 };
const THREE = [['a'], ['b', 'c'], ['a']].reduce(add, NO_CHANGES);

function open(t: Test): OpenEnvironment {
  const handle = openEnvironment(t.testdir(), 'build');
  t.teardown(() => handle.close());
  return handle;
}

function write({ environment }: OpenEnvironment, tables: number, changes: Buffer | null): void {
  writeTransaction(environment, () => {
    environment.putSync(TABLES_KEY, Buffer.from(String(tables)));
    if (changes === null) environment.removeSync(TABLE_CHANGES_KEY);
    else environment.putSync(TABLE_CHANGES_KEY, changes);
  });
  environment.resetReadTxn();
}

t.test('the keys of the transactions since a value of the counter are known, as far as they are kept', async (t) => {
  const handle = open(t);
  write(handle, 10, encodeTableChanges(THREE));
  const since = (tables: number) => {
    const keys = readChangesSince(handle.environment, tables);
    return keys === null ? null : [...keys];
  };
  t.strictSame(since(10), []);
  t.strictSame(since(9), ['a']);
  t.strictSame(since(8), ['b', 'c', 'a']);
  t.strictSame(since(7), ['a', 'b', 'c']);
  t.equal(since(6), null, 'before the process opened the store');
  t.equal(since(11), null, 'the counter was set back');
});

t.test('nothing is known if another release has counted a transaction, or written something else', async (t) => {
  const handle = open(t);
  write(handle, 11, encodeTableChanges(THREE));
  t.equal(readChangesSince(handle.environment, 9), null);
  for (const other of [null, Buffer.from('{"cursor":{"epoch":"e"},"kind":null}'), Buffer.alloc(0)]) {
    write(handle, 10, other);
    t.equal(readChangesSince(handle.environment, 9), null);
  }
});

t.test('changes with any damaged byte are not known', async (t) => {
  const handle = open(t);
  const whole = encodeTableChanges(THREE);
  for (const place of whole.keys()) {
    const damaged = Buffer.from(whole);
    damaged[place] = (damaged[place] as number) ^ 1;
    write(handle, 10, damaged);
    t.equal(readChangesSince(handle.environment, 8), null, `byte ${place}`);
  }
});

t.test('the earliest transactions are left out, so that no more than a thousand keys are kept', async (t) => {
  const many = (count: number) => Array.from({ length: count }, (_, number) => `c${number}`);
  let changes = NO_CHANGES;
  for (let round = 0; round < 5; round++) changes = add(changes, many(300));
  t.equal(changes.tables, 12);
  t.equal(changes.keys.length, 3);
  const full = add(NO_CHANGES, many(1000));
  t.equal(full.keys.length, 1);
  t.strictSame(add(full, ['a']).keys, [['a']]);
  t.strictSame(add(full, many(1001)), { tables: 9, keys: [] });
});

t.test('changes that do not lead to where a transaction begins are forgotten', async (t) => {
  t.strictSame(withTransaction(THREE, 12, ['d']), { tables: 13, keys: [['d']] });
});
