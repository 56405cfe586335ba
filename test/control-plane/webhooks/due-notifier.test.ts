import { pino } from 'pino';
import t from 'tap';
import { DatabaseUnavailableError, type Queryable, type Rows } from '../../../control-plane/db/database.js';
import { createDueNotifier } from '../../../control-plane/webhooks/due-notifier.js';

const log = pino({ level: 'silent' });

/** A queue whose statements wait until the test ends them. */
function heldQueue() {
  const held: ((error?: Error) => void)[] = [];
  const queue: Queryable = {
    query: <Row>() =>
      new Promise<Rows<Row>>((resolve, reject) => {
        held.push((error) => (error === undefined ? resolve({ rows: [], rowCount: 1 }) : reject(error)));
      }),
  };
  return { queue, held };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

t.test('pokes during a notification cause one more, and there are never two at once', async (t) => {
  const { queue, held } = heldQueue();
  const notifier = createDueNotifier(queue, log);
  for (let poke = 0; poke < 100; poke++) notifier.poke();
  t.equal(held.length, 1);
  held[0]?.();
  await turn();
  t.equal(held.length, 2);
  held[1]?.();
  await turn();
  t.equal(held.length, 2, 'no notification follows without a poke');
  notifier.poke();
  t.equal(held.length, 3);
});

t.test('a notification is lost if the database is away, and the next poke is sent', async (t) => {
  const { queue, held } = heldQueue();
  const notifier = createDueNotifier(queue, log);
  notifier.poke();
  held[0]?.(new DatabaseUnavailableError('away'));
  await turn();
  notifier.poke();
  held[1]?.();
  await turn();
  t.equal(held.length, 2);
});

t.test('a stop waits for the current notification and sends no more', async (t) => {
  const { queue, held } = heldQueue();
  const notifier = createDueNotifier(queue, log);
  notifier.poke();
  notifier.poke();
  let stopped = false;
  const stopping = notifier.stop().then(() => {
    stopped = true;
  });
  await turn();
  t.notOk(stopped);
  held[0]?.();
  await stopping;
  notifier.poke();
  t.equal(held.length, 1);
});

t.test('without a queue a poke does nothing', async () => {
  const notifier = createDueNotifier(null, log);
  notifier.poke();
  await notifier.stop();
});
