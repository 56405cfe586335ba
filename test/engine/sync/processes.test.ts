import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { until } from '../../support/until.js';
import { configFixture } from './config-fixture.js';

t.test('a reader in another process sees all changes, through new generations and kills of the writer at any moment', async (t) => {
  const fixture = await configFixture(t);
  const dir = t.testdir();
  const entry = (name: string) => fileURLToPath(new URL(`../../fixtures/${name}.js`, import.meta.url));
  const start = () => fork(entry('sync-process'), [fixture.url, dir]);
  const asker = fork(entry('store-reader'), [dir]);
  t.teardown(() => asker.kill());
  const ask = async (path: string): Promise<string | null> => {
    asker.send(path);
    return (await once(asker, 'message'))[0];
  };
  let writer = start();
  let n = 0;
  for (let round = 0; round < 6; round++) {
    const end = performance.now() + 250 + Math.random() * 300;
    for (; performance.now() < end; n++) await fixture.createLink(`k${n}`, `/${n}`);
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    if (round === 3) await fixture.pool.query('UPDATE config_feed_state SET epoch = gen_random_uuid()');
    writer = start();
  }
  t.teardown(() => writer.kill('SIGKILL'));
  // The last link is the last feed row: when it has arrived, all have.
  await until(async () => (await ask(`k${n - 1}`)) !== null, 'the last link in the other process');
  const missing: string[] = [];
  for (let k = 0; k < n; k++) {
    if ((await ask(`k${k}`)) !== `/${k}`) missing.push(`k${k}`);
  }
  t.strictSame(missing, []);
  t.ok(n > 100);
});
