import t, { type Test } from 'tap';
import { type SharedStorage, sharedStorage } from '../../../shared/sdk/shared-storage.js';
import type { Storage } from '../../../shared/sdk/surroundings.js';
import { until } from '../../support/until.js';

const storage = (): Storage => ({ getItem: () => null, setItem: () => {} });
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Work that notes when it begins and ends, and ends when the test says so. */
function work(name: string, log: string[]) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const run = async () => {
    log.push(`${name} begins`);
    await ended;
    log.push(`${name} ends`);
    return name;
  };
  return { run, end };
}

/** What browsers do with locks: requests for one name are granted one after the other. */
function browserLocks() {
  const ends = new Map<string, Promise<unknown>>();
  return {
    request(name: string, callback: () => Promise<void>): Promise<unknown> {
      // A lock is never granted at once.
      const result = Promise.all([ends.get(name), turn()]).then(callback);
      ends.set(name, result);
      return result;
    },
  };
}

/** A page with these locks. Returns what calls the listeners of an event. */
function page(t: Test, locks: unknown): (type: string) => void {
  const listeners: [string, () => void][] = [];
  t.intercept(globalThis as { navigator?: unknown }, 'navigator', { value: { locks }, configurable: true });
  t.intercept(globalThis as { addEventListener?: unknown }, 'addEventListener', {
    value: (type: string, listener: () => void) => listeners.push([type, listener]),
    configurable: true,
  });
  return (type) => {
    for (const [each, listener] of listeners) if (each === type) listener();
  };
}

/** Starts two pieces of work with one key, and ends the second before the first. */
async function overlap(one: SharedStorage, other: SharedStorage): Promise<readonly string[]> {
  const log: string[] = [];
  const [first, second] = [work('first', log), work('second', log)];
  const results = [one.alone('a', first.run), other.alone('a', second.run)];
  second.end();
  for (let turns = 0; turns < 5; turns++) await turn();
  first.end();
  await Promise.all(results);
  return log;
}

const ONE_AFTER_THE_OTHER = ['first begins', 'first ends', 'second begins', 'second ends'];
const AT_ONCE = ['first begins', 'second begins', 'second ends', 'first ends'];

t.test('work with one key on one storage runs one after the other, for all clients, and failed work stops no other', async (t) => {
  // Newer releases of Node.js have locks of their own, which all storages share.
  page(t, undefined);
  const kept = storage();
  t.equal(sharedStorage(kept), sharedStorage(kept));
  t.same(await overlap(sharedStorage(kept), sharedStorage(kept)), ONE_AFTER_THE_OTHER);
  t.same(await overlap(sharedStorage(kept), sharedStorage(storage())), AT_ONCE, 'on two storages at once');
  const shared = sharedStorage(kept);
  await t.rejects(
    shared.alone('a', () => Promise.reject(new Error('no'))),
    /no/,
  );
  t.equal(await shared.alone('a', async () => 1), 1);
  const log: string[] = [];
  const long = work('long', log);
  const result = shared.alone('a', long.run);
  t.equal(await shared.alone('b', async () => 2), 2, 'another key does not wait');
  long.end();
  await result;
});

t.test('anything is accepted as a storage', async (t) => {
  for (const given of [null, 'text', 1, {}]) {
    const shared = sharedStorage(given as never);
    await shared.setItem('a', 'b');
    t.equal(await shared.getItem('a'), 'b', String(given));
  }
});

/** A storage that is full until the test says otherwise. */
function fullStorage() {
  const kept = { values: new Map<string, string>(), isFull: true };
  const full: Storage = {
    getItem: (key) => kept.values.get(key) ?? null,
    setItem(key, value) {
      if (kept.isFull) throw new Error('QuotaExceededError');
      kept.values.set(key, value);
    },
  };
  return { kept, full };
}

t.test(
  'what did not fit into a full storage is written at the next chance: when it is read, and when anything else is written',
  async (t) => {
    const { kept, full } = fullStorage();
    const shared = sharedStorage(full);
    for (const key of ['a', 'b', 'c']) await shared.setItem(key, `${key}1`);
    t.equal(await shared.getItem('a'), 'a1');
    kept.isFull = false;
    t.equal(await shared.getItem('a'), 'a1');
    t.same([...kept.values], [['a', 'a1']]);
    await shared.setItem('d', 'd1');
    t.same(Object.fromEntries(kept.values), { a: 'a1', b: 'b1', c: 'c1', d: 'd1' });
    kept.values.set('a', 'of another tab');
    t.equal(await shared.getItem('a'), 'of another tab', 'nothing is left to be written');
  },
);

t.test('what cannot be read at the moment is not written over, and is remembered if it was read before', async (t) => {
  const values = new Map([['a', 'stored']]);
  let isBroken = false;
  const storage: Storage = {
    getItem: async (key) => {
      if (isBroken) throw new Error('SQLITE_BUSY');
      return values.get(key) ?? null;
    },
    setItem: async (key, value) => void values.set(key, value),
  };
  const restarted = () => sharedStorage({ ...storage });
  const known = restarted();
  t.equal(await known.getItem('a'), 'stored');
  isBroken = true;
  t.equal(await known.getItem('a'), 'stored');
  const shared = restarted();
  t.equal(await shared.getItem('a'), null);
  await shared.setItem('a', 'of this start');
  t.equal(await shared.getItem('a'), 'of this start');
  isBroken = false;
  t.equal(await shared.getItem('a'), 'of this start', 'until the program ends');
  await shared.setItem('b', 'new');
  t.same(
    [...values],
    [
      ['a', 'stored'],
      ['b', 'new'],
    ],
  );
  t.equal(await restarted().getItem('a'), 'stored');
});

t.test('a storage that does not respond holds up nobody for longer than some seconds', async (t) => {
  const timers: [() => void, number][] = [];
  t.intercept(globalThis, 'setTimeout', { value: (callback: () => void, ms: number) => timers.push([callback, ms]), configurable: true });
  const never = () => new Promise<never>(() => {});
  const settled = async <Value>(work: Value | Promise<Value>) => {
    t.match(timers, [[Function, 5000]]);
    timers.pop()?.[0]();
    return work;
  };
  const shared = sharedStorage({ getItem: never, setItem: never });
  t.equal(await settled(shared.getItem('a')), null);
  await shared.setItem('a', 'b');
  t.equal(await shared.getItem('a'), 'b', 'it is not asked again');
  await settled(shared.setItem('c', 'd'));
  t.equal(await settled(shared.getItem('c')), 'd');
});

t.test('where browsers have locks, tabs run work with one key one after the other', async (t) => {
  page(t, browserLocks());
  t.same(await overlap(sharedStorage(storage()), sharedStorage(storage())), ONE_AFTER_THE_OTHER);
  const failing = sharedStorage(storage()).alone('a', () => Promise.reject(new Error('no')));
  await t.rejects(failing, /no/);
});

t.test('a page that is refused locks works without them', async (t) => {
  page(t, { request: () => Promise.reject(new Error('SecurityError')) });
  t.equal(await sharedStorage(storage()).alone('a', async () => 1), 1);
});

t.test('a tab that is suspended while it has a lock holds up the others for some seconds at most', async (t) => {
  page(t, { request: () => new Promise(() => {}) });
  const timers: [() => void, number][] = [];
  const set = t.intercept(globalThis, 'setTimeout', {
    value: (callback: () => void, ms: number) => timers.push([callback, ms]),
    configurable: true,
  });
  const result = sharedStorage(storage()).alone('a', async () => 1);
  await turn();
  set.restore();
  t.match(timers, [[Function, 5000]]);
  timers[0]?.[0]();
  t.equal(await result, 1);
});

t.test('a page that is closing waits for no lock', async (t) => {
  let asked = 0;
  const fire = page(t, {
    request: () => {
      asked++;
      return new Promise(() => {});
    },
  });
  const shared = sharedStorage(storage());
  const waiting = shared.alone('a', async () => 'waiting');
  const behind = shared.alone('a', async () => 'behind');
  await until(async () => asked === 1, 'a request');
  fire('pagehide');
  t.same(await Promise.all([waiting, behind, shared.alone('b', async () => 'later')]), ['waiting', 'behind', 'later']);
  t.equal(asked, 1);
  fire('pageshow');
  void shared.alone('a', async () => 'shown again');
  await until(async () => asked === 2, 'a request of the page that is shown again');
  fire('pagehide');
});
