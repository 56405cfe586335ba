import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import t, { type Test } from 'tap';
import { newId, uuidToId } from '../../shared/base/ids.js';
import { openStream } from '../api/click-stream-client.js';
import { logClicks, loggedClick } from '../support/click-log.js';
import { makeProject, startControlPlane } from '../support/control-plane.js';
import { createDatabase } from '../support/database.js';
import { until } from '../support/until.js';

const own = await createDatabase();
t.teardown(() => own.drop());
const project = await makeProject(own.url);
const shippers = await Promise.all(
  [0, 1].map(async () => {
    const client = new pg.Client({ connectionString: own.url });
    await client.connect();
    t.teardown(() => client.end());
    return client;
  }),
);
const [client] = shippers as [pg.Client, pg.Client];
const { rows } = await client.query<{ number: number }>('SELECT number FROM environments WHERE id = $1', [project.environmentId]);
const environment = (rows[0] as { number: number }).number;
const clicks = (count: number) => Array.from({ length: count }, () => loggedClick(newId('link'), Date.now()));

/** Two hosts that ship clicks until the returned function is called. */
function startShipping(): () => Promise<void> {
  let isEnding = false;
  const running = shippers.map(async (shipper) => {
    while (!isEnding) {
      await logClicks(shipper, environment, clicks(5));
      await sleep(100);
    }
  });
  return async () => {
    isEnding = true;
    await Promise.all(running);
  };
}

async function loggedIds(): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM clicks');
  return rows.map(({ id }) => uuidToId('click', id)).sort();
}

t.test('a client that continues at another control plane after one is killed receives every click', async (t) => {
  const start = () => startControlPlane({ databaseUrl: own.url, dir: t.testdir() });
  const seen = new Set<string>();
  let came = 0;
  let lastEventId: string | undefined;
  let stopShipping = async () => {};
  const rounds = 3;
  for (let round = 0; round < rounds; round++) {
    const controlPlane = await start();
    t.teardown(() => controlPlane.kill());
    const stream = await openStream(t, controlPlane.baseUrl, { key: project.secretKey, lastEventId });
    if (round === 0) stopShipping = startShipping();
    await stream.waitFor('click', 40);
    if (round === rounds - 1) {
      await stopShipping();
      const missing = (await loggedIds()).filter((id) => !seen.has(id));
      await until(
        () => {
          const came = new Set(stream.clickIds());
          return missing.every((id) => came.has(id));
        },
        'the clicks that are missing',
        120_000,
      );
    }
    await controlPlane.kill();
    await stream.ended();
    for (const id of stream.clickIds()) seen.add(id);
    came += stream.clickIds().length;
    lastEventId = stream.lastEventId();
    t.notMatch(stream.text(), /event: (?:reset|end)/);
  }
  t.same([...seen].sort(), await loggedIds());
  t.ok(came - seen.size <= 2 * 5, `${came - seen.size} came twice: no more than the batches that were cut off`);
});

for (const signal of ['SIGTERM', 'SIGHUP'] as const)
  t.test(`a control plane that is stopped by ${signal} ends its streams with an end event and does not wait for clients`, (t) =>
    stopStreams(t, signal),
  );

async function stopStreams(t: Test, signal: NodeJS.Signals): Promise<void> {
  const controlPlane = await startControlPlane({ databaseUrl: own.url, dir: t.testdir() });
  t.teardown(() => controlPlane.kill());
  const stream = await openStream(t, controlPlane.baseUrl, { key: project.secretKey });
  await logClicks(client, environment, clicks(1));
  await stream.waitFor('click');
  const started = performance.now();
  controlPlane.child.kill(signal);
  t.same(await controlPlane.ended(), { code: 0, signal: null });
  t.ok(performance.now() - started < 5_000);
  await stream.ended();
  t.match(stream.events.at(-1), { type: 'end', data: '{"reason":"shutdown"}' });
}
