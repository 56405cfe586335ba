import t from 'tap';
import { openConfigWriter } from '../../../engine/store/config-writer.js';
import { applyRows } from '../../../engine/sync/apply.js';
import { bootstrap } from '../../../engine/sync/bootstrap.js';
import { readFeed } from '../../../engine/sync/sql.js';
import { systemClock } from '../../../shared/base/clock.js';
import { newId } from '../../../shared/base/ids.js';
import { bootstrapPlan, configFixture, log, openReader, RecordedInvalidations, seen } from './config-fixture.js';

t.test('one batch may contain an object several times, deleted objects, unknown kinds and foreign environments', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const dir = t.testdir();
  const writer = openConfigWriter(dir, log, systemClock);
  t.teardown(() => writer.close());
  const reader = openReader(t, dir);
  const gone = await fixture.createLink('gone');
  const client = await fixture.pool.connect();
  t.teardown(() => client.release());
  t.equal(await bootstrap(client, writer, bootstrapPlan()), true);
  const kept = await fixture.createLink('kept', '/1');
  await fixture.changeLink(kept, '/2');
  await fixture.purgeLink(gone);
  await fixture.changeLink(kept, '/3');
  const feed = (kind: string, environmentId: string, id: string, key: string | null) =>
    fixture.pool.query('INSERT INTO config_feed (kind, environment_id, object_id, object_key) VALUES ($1, $2, $3, $4)', [
      kind,
      environmentId,
      id,
      key,
    ]);
  await feed('kind_of_tomorrow', fixture.environmentIds[0], 'x_1', 'kept');
  await feed('link', fixture.environmentIds[0], newId('link'), 'kept');
  await feed('link', newId('environment'), newId('link'), 'kept');
  await feed('link', fixture.environmentIds[0], newId('link'), null);
  await feed('metadata_answer', fixture.environmentIds[0], 'rt_1/a/b', 'a/b');
  await fixture.assignSilently();
  const rows = await readFeed(client, 0, 100);
  t.equal(rows.length, 10);
  const before = reader.tableVersion();
  const remembered = new RecordedInvalidations();
  const applying = { client, writer, remembered };
  await applyRows(applying, 'e', rows);
  await seen(reader, 'gone', (link) => link === undefined);
  t.equal(reader.findLink(1, 'kept')?.deep_link_path, '/3');
  t.equal(reader.tableVersion(), before, 'links are not part of the table');
  t.match(writer.cursor(), { epoch: 'e', position: 10, mark: rows[9]?.mark });
  t.match(
    remembered.said,
    [[{ resource_type_id: 'rt_1', item_id: 'a/b' }], 'awaited', { position: 10 }],
    'invalidations are applied before the position is kept',
  );
  await applyRows(applying, 'e', []);
  t.equal(writer.cursor()?.position, 10);

  /** What the rows after the position let waiting API calls wait for. */
  const awaitedFrom = async (position: number) => {
    await fixture.assignSilently();
    const next = new RecordedInvalidations();
    await applyRows({ ...applying, remembered: next }, 'e', (await readFeed(client, position, 100)).slice(1));
    return next.said.slice(0, -1);
  };
  const created = await fixture.createLink('created');
  t.same(await awaitedFrom(10), [], 'a link that was only created is looked up');
  await fixture.changeLink(created, '/4');
  t.same(await awaitedFrom(11), ['awaited']);
  await fixture.purgeLink(created);
  t.same(await awaitedFrom(12), ['awaited']);
  await fixture.createResourceType('rt_2');
  t.same(await awaitedFrom(13), ['awaited, with the table']);
});
