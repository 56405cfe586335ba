import t from 'tap';
import type { Database } from '../../../control-plane/db/database.js';
import { ConnectionShares } from '../../../control-plane/http/connection-shares.js';

interface Running {
  readonly holder: string;
  end(): void;
}

/** A pool whose statements run until the test ends them. `running` has them in the order of their beginning. */
function slowPool(connections: number, waitMsMax?: number) {
  const running: Running[] = [];
  const run = (holder: string) => new Promise<void>((resolve) => running.push({ holder, end: resolve }));
  const pool: Database = {
    query: ({ text }) => run(text).then(() => ({ rows: [], rowCount: 0 })),
    copyOut: (text) => run(text),
    transaction: (work) => run('transaction').then(() => work(pool)),
  };
  const shares = new ConnectionShares(pool, connections, waitMsMax);
  return {
    shares,
    running,
    ask: (holder: string) => shares.of(holder).query({ text: holder, values: [] }),
    count: (holder: string) => running.filter((each) => each.holder === holder).length,
    /** Ends the holder's oldest statement, and waits until others have had the chance to begin. */
    async end(holder: string) {
      const place = running.findIndex((each) => each.holder === holder);
      running.splice(place, 1)[0]?.end();
      await new Promise(setImmediate);
    },
    async endAll() {
      while (running.length > 0) {
        running.shift()?.end();
        await new Promise(setImmediate);
      }
    },
  };
}

const HELD = [
  { connections: 16, holders: 'a', held: [12] },
  { connections: 16, holders: 'ab', held: [7, 7] },
  { connections: 16, holders: 'abc', held: [5, 5, 5] },
  { connections: 4, holders: 'a', held: [3] },
  { connections: 2, holders: 'a', held: [2] },
  { connections: 1, holders: 'a', held: [1] },
];

for (const { connections, holders, held } of HELD)
  t.test(`of ${connections} connections, ${held.join(' and ')} are used by ${held.length} who ask for all of them`, async (t) => {
    const { running, ask, count, endAll } = slowPool(connections);
    const names = [...holders];
    const calls = Array.from({ length: connections }, () => names.map(ask)).flat();
    t.same(names.map(count), held);
    await endAll();
    t.equal((await Promise.all(calls)).length, connections * names.length);
    t.same(running, []);
  });

t.test('one who uses many leaves a connection for the next one, who also gets those that become free', async (t) => {
  const { ask, count, end, endAll } = slowPool(16);
  const calls = Array.from({ length: 40 }, () => ask('busy'));
  calls.push(ask('next'));
  t.equal(count('next'), 1, 'the next one does not wait');
  for (let call = 0; call < 9; call++) calls.push(ask('next'));
  for (let ended = 0; ended < 6; ended++) await end('busy');
  t.same([count('busy'), count('next')], [7, 7]);
  await endAll();
  t.equal((await Promise.all(calls)).length, 50);
});

t.test('calls of an environment begin in their order', async (t) => {
  const begun: number[] = [];
  const pool: Database = {
    query: async ({ values }) => {
      begun.push(values[0] as number);
      await new Promise(setImmediate);
      return { rows: [], rowCount: 0 };
    },
    copyOut: async () => {},
    transaction: (work) => work(pool),
  };
  const shares = new ConnectionShares(pool, 2);
  await Promise.all(Array.from({ length: 20 }, (_, call) => shares.of('a').query({ text: '', values: [call] })));
  t.same(begun, [...begun.keys()]);
});

t.test('a call that waits for too long is refused, and the others go on', async (t) => {
  const { running, ask, end, endAll } = slowPool(2, 20);
  const calls = [ask('a'), ask('a')];
  await t.rejects(ask('a'), { code: 'service_unavailable', headers: { 'retry-after': '1' } });
  await t.rejects(ask('b'), { code: 'service_unavailable' });
  await end('a');
  calls.push(ask('b'));
  t.same(
    running.map(({ holder }) => holder),
    ['a', 'b'],
  );
  await endAll();
  t.equal((await Promise.all(calls)).length, 3);
});

t.test('a connection is given back if its work fails', async (t) => {
  const pool: Database = {
    query: () => Promise.reject(new Error('of the statement')),
    copyOut: () => Promise.reject(new Error('of the copy')),
    transaction: () => Promise.reject(new Error('of the transaction')),
  };
  const database = new ConnectionShares(pool, 1, 20).of('a');
  for (let call = 0; call < 3; call++) {
    await t.rejects(database.query({ text: '', values: [] }), { message: 'of the statement' });
    await t.rejects(
      database.copyOut('', () => undefined),
      { message: 'of the copy' },
    );
    await t.rejects(
      database.transaction(async () => {}),
      { message: 'of the transaction' },
    );
  }
});
