import { readdirSync } from 'node:fs';
import t from 'tap';
import { openConfigWriter } from '../../../engine/store/config-writer.js';
import { storeFolder } from '../../../engine/store/copies.js';
import { bootstrap } from '../../../engine/sync/bootstrap.js';
import { systemClock } from '../../../shared/base/clock.js';
import { configFixture, log, openReader, seen } from './config-fixture.js';

t.test('a bootstrap that is cancelled or fails at any batch changes nothing and leaves nothing', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  await fixture.pool.query(
    `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at)
     SELECT new_id('lnk_', now()), $1, 'p' || n, '/', now(), now() FROM generate_series(1, 5000) AS n`,
    [fixture.environmentIds[0]],
  );
  const dir = t.testdir();
  const writer = openConfigWriter(dir, log, systemClock);
  t.teardown(() => writer.close());
  const reader = openReader(t, dir);
  let copied = 0;
  let rests = 0;
  const run = async (cancelled: () => boolean, onObjects = () => undefined) => {
    const client = await fixture.pool.connect();
    client.on('error', () => undefined);
    copied = 0;
    rests = 0;
    try {
      return await bootstrap(client, writer, {
        cancelled,
        onObjects: (count) => {
          copied += count;
          onObjects();
        },
        rest: async (milliseconds) => {
          if (milliseconds > 0) rests++;
        },
      });
    } finally {
      client.release(true);
    }
  };
  t.equal(await run(() => false), true);
  t.equal(copied, 5002);
  t.equal(rests, 0, 'an empty host has visitors who wait for the copy');
  await seen(reader, 'p5000', (link) => link !== undefined);
  const whole = writer.generation();
  writer.removeOldGenerations();
  await fixture.pool.query("UPDATE links SET deep_link_path = '/new'");
  for (const stopAfter of [0, 2, 2002, 4002]) {
    t.equal(await run(() => copied >= stopAfter), false);
    await t.rejects(
      run(
        () => false,
        () => {
          if (copied > stopAfter) throw new Error('a full disk');
          return undefined;
        },
      ),
      { message: 'a full disk' },
    );
  }
  t.equal(writer.generation(), whole);
  t.strictSame(readdirSync(storeFolder(dir)).sort(), ['CURRENT', whole].sort());
  t.equal(reader.findLink(1, 'p5000')?.deep_link_path, '/');
  t.equal(await run(() => false), true);
  t.ok(rests >= 3, `and one that serves an old copy leaves time to its visitors: ${rests} rests`);
  await seen(reader, 'p5000', (link) => link?.deep_link_path === '/new');
});
