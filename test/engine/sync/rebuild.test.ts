import { openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { storeFolder } from '../../../engine/store/copies.js';
import { readPointer } from '../../../engine/store/generations.js';
import { until } from '../../support/until.js';
import { configFixture, differences, following, openReader, RecordedInvalidations, seen, startSync } from './config-fixture.js';

/** Most of the time is spent waiting: for polls, timeouts and PostgreSQL. */
t.jobs = 4;

const present = (link: unknown) => link !== undefined;

const TURNS: readonly { readonly name: string; readonly statements: readonly string[] }[] = [
  { name: 'another epoch', statements: ['UPDATE config_feed_state SET epoch = gen_random_uuid()'] },
  {
    name: 'a feed that ends before the cursor',
    statements: ['DELETE FROM config_feed WHERE position > 1', 'UPDATE config_feed_state SET last_position = 1'],
  },
  { name: 'a feed that was emptied and filled again', statements: ['TRUNCATE config_feed'] },
  {
    name: 'a feed that no longer reaches back',
    statements: ['DELETE FROM config_feed', 'UPDATE config_feed_state SET last_position = 900, pruned_position = 900'],
  },
  {
    name: 'other rows at the same positions',
    statements: ["UPDATE config_feed SET created_at = created_at - interval '1 second' WHERE position = 3"],
  },
  { name: 'a position that is missing', statements: ['UPDATE config_feed_state SET last_position = last_position + 1'] },
];

for (const { name, statements } of TURNS)
  t.test(`${name} leads to a new copy, while the old one serves`, async (t) => {
    const fixture = await configFixture(t);
    const dir = t.testdir();
    const remembered = new RecordedInvalidations();
    const sync = startSync(t, fixture.url, dir, { pollMs: 100, remembered });
    const reader = openReader(t, dir);
    await following(sync);
    const id = await fixture.createLink('a', '/1');
    await fixture.createLink('b');
    await fixture.createLink('c');
    await until(() => sync.stats().position === 3, 'three rows to be applied');
    await fixture.assigner.stop();
    // A change without a feed row, which only a new copy brings.
    await fixture.pool.query("UPDATE links SET deep_link_path = '/2' WHERE id = $1", [id]);
    for (const statement of statements) await fixture.pool.query(statement);
    if (name === 'a position that is missing') {
      await fixture.createLink('d');
      await fixture.assignSilently();
    }
    let lost = 0;
    await until(() => {
      if (reader.findLink(1, 'a') === undefined) lost += 1;
      return reader.findLink(1, 'a')?.deep_link_path === '/2';
    }, 'the new copy');
    t.equal(lost, 0, 'the link was found all the time');
    t.equal(sync.stats().bootstraps, 2);
    await sleep(300);
    t.equal(sync.stats().bootstraps, 2, 'the new copy is followed without another bootstrap');
    t.equal(
      remembered.said.filter((said) => said === 'all').length,
      2,
      'all remembered items are forgotten, since invalidations may be among the lost rows',
    );
  });

t.test('damage in a running store is found and repaired although no reader has met it', async (t) => {
  const fixture = await configFixture(t);
  const dir = t.testdir();
  const id = await fixture.createLink('bad', '/damaged-value');
  await fixture.createLink('good');
  const sync = startSync(t, fixture.url, dir);
  const reader = openReader(t, dir);
  await following(sync);
  await seen(reader, 'good', present);
  const file = join(storeFolder(dir), readPointer(storeFolder(dir)) as string, 'data.mdb');
  const descriptor = openSync(file, 'r+');
  const bytes = readFileSync(file);
  for (let at = bytes.indexOf('/damaged-value'); at !== -1; at = bytes.indexOf('/damaged-value', at + 1))
    writeSync(descriptor, 'X', at + 3);
  await following(sync, 2);
  await seen(reader, 'bad', (link) => link?.id === id && link.deep_link_path === '/damaged-value');
  t.strictSame(await differences(fixture, sync, reader), []);
});

t.test('a deleted store is rebuilt, and readers that have it open go on reading it meanwhile', async (t) => {
  const fixture = await configFixture(t);
  const dir = t.testdir();
  await fixture.createLink('a');
  const sync = startSync(t, fixture.url, dir);
  const reader = openReader(t, dir);
  await following(sync);
  await seen(reader, 'a', present);
  rmSync(storeFolder(dir), { recursive: true });
  let lost = 0;
  await until(() => {
    if (reader.findLink(1, 'a') === undefined) lost += 1;
    return sync.stats().bootstraps === 2;
  }, 'the new copy');
  t.equal(lost, 0);
  await fixture.createLink('b');
  await seen(reader, 'b', present);
});

t.test('old generations without readers are removed some seconds later', async (t) => {
  const fixture = await configFixture(t);
  const dir = t.testdir();
  const sync = startSync(t, fixture.url, dir, { pollMs: 50 });
  await following(sync);
  const old = readPointer(storeFolder(dir)) as string;
  await fixture.pool.query('UPDATE config_feed_state SET epoch = gen_random_uuid()');
  await following(sync, 2);
  const generations = () => readdirSync(storeFolder(dir)).filter((name) => name !== 'CURRENT');
  t.ok(generations().includes(old), 'the generation is kept for readers that have not noticed yet');
  await until(() => generations().length === 1, 'the old generation to be removed');
});
