import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { StreamConnection } from '../../../control-plane/click-stream/connection.js';
import { EnvironmentClicks } from '../../../control-plane/click-stream/environment-clicks.js';
import { progressFrom } from '../../../control-plane/click-stream/progress.js';
import type { Database } from '../../../control-plane/db/database.js';

const START = progressFrom({ server: 7, xid: 1n, seen: new Map(), at_s: 0 });

t.test('a stream that is opened while keys are read is not ended for a key that was not read yet', async (t) => {
  const steps = new EventEmitter();
  const reading = once(steps, 'reading');
  const read = once(steps, 'read');
  const asked: unknown[] = [];
  const database = {
    async query({ name, values }: { readonly name?: string; readonly values: readonly unknown[] }) {
      if (name !== 'read_keys_of_streams') return { rows: [{ server: 7, snapshot: '1:1:', now_s: 0, batch_id: null }], rowCount: 1 };
      asked.push(values[0]);
      steps.emit('reading');
      await read;
      return { rows: (values[0] as string[]).filter((id) => id !== 'key_revoked').map((id) => ({ id })), rowCount: 1 };
    },
  } as unknown as Database;
  const clicks = new EnvironmentClicks({
    database,
    clickStore: { streamed: async () => [] },
    environmentNumber: 1,
    monotonicMs: () => performance.now(),
    wait: () => delay(1),
  });
  const open = (keyId: string) => {
    const connection = new StreamConnection(keyId, START, performance.now());
    connection.stream.resume();
    clicks.add(
      connection,
      () => {},
      (error) => t.fail(String(error)),
    );
    return connection;
  };
  const usable = open('key_usable');
  await reading;
  const [later, revoked] = [open('key_later'), open('key_revoked')];
  steps.emit('read');
  // The keys of all streams are read in the next turn.
  while (revoked.isOpen) await delay(1);
  t.ok(usable.isOpen);
  t.ok(later.isOpen);
  t.same(asked, [['key_usable'], ['key_usable', 'key_later', 'key_revoked']]);
  clicks.endAll('unavailable');
  await clicks.idle();
});

const TAKEN_OVER = {
  'lacks transactions which were read': [
    { server: 7, next: 9 },
    { server: 7, next: 12 },
    { server: 7, next: 11 },
  ],
  'has given out as many numbers': [
    { server: 7, next: 9 },
    { server: 8, next: 12 },
  ],
};

for (const [what, looks] of Object.entries(TAKEN_OVER))
  t.test(`streams end when PostgreSQL is replaced by a server that ${what}`, (t) => testTakenOver(t, looks));

async function testTakenOver(t: Test, looks: readonly { readonly server: number; readonly next: number }[]): Promise<void> {
  const ahead = [...looks];
  const row = () => {
    const { server, next } = ahead.shift() ?? {};
    return { server, snapshot: `5:${next}:5`, now_s: 0, batch_id: null };
  };
  const database = {
    query: async ({ name }: { readonly name?: string }) =>
      name === 'read_keys_of_streams' ? { rows: [{ id: 'key' }], rowCount: 1 } : { rows: [row()], rowCount: 1 },
  } as unknown as Database;
  const clicks = new EnvironmentClicks({
    database,
    clickStore: { streamed: async () => [] },
    environmentNumber: 1,
    monotonicMs: () => performance.now(),
    wait: () => delay(1),
  });
  const connection = new StreamConnection('key', START, performance.now());
  let sent = '';
  connection.stream.on('data', (bytes: Buffer) => {
    sent += bytes.toString();
  });
  const failed = new Promise<unknown>((resolve) => clicks.add(connection, () => {}, resolve));
  t.match(await failed, { name: 'DatabaseUnavailableError' });
  await once(connection.stream, 'close');
  t.match(sent, '{"reason":"unavailable"}');
  t.same(ahead, []);
}
