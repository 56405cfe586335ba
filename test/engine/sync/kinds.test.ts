import t from 'tap';
import { KINDS } from '../../../engine/sync/kinds.js';
import { newId } from '../../../shared/base/ids.js';
import { FEED_KINDS } from '../../../shared/records/records.js';
import { configFixture } from './config-fixture.js';

t.test('every kind of the feed has an entry, in a fixed order', async (t) => {
  t.strictSame(
    KINDS.map(({ kind, changesTable }) => [kind, changesTable]),
    [
      ['environment', true],
      ['link', false],
      ['alias', false],
      ['resource_type', true],
      ['url_template', true],
      ['campaign', true],
      ['domain', true],
      ['metadata_api', true],
    ],
  );
  t.strictSame(
    KINDS.map(({ kind }) => kind),
    [...FEED_KINDS],
  );
});

t.test('for every kind, the pages, the read by id and the key in the feed agree', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  await fixture.createLink('a');
  await fixture.createLink('b', '/', 1);
  await fixture.pool.query(`INSERT INTO config_feed (kind, environment_id, object_id, object_key)
    SELECT 'environment', id, id, number::text FROM environments`);
  for (const environment of [0, 1] as const) {
    const [type, template] = [newId('resourceType'), newId('urlTemplate')];
    await fixture.createResourceType(type, environment);
    await fixture.createTemplate(template, type, '/p/{id}', environment);
    await fixture.createCampaign('spring', 'newsletter', environment);
    await fixture.createDomain(`links${environment}.example.org`, environment);
    await fixture.createMetadataApi(type, environment);
  }
  await fixture.pool.query(`WITH given AS (
      INSERT INTO link_aliases (id, environment_id, link_id, host, normal_path)
      SELECT new_id('als_', now()), environment_id, id, 'go.example', 'sale/' || path FROM links RETURNING *)
    INSERT INTO config_feed (kind, environment_id, object_id, object_key)
    SELECT 'alias', environment_id, id, host || '/' || normal_path FROM given`);
  const { rows: feed } = await fixture.pool.query<{ kind: string; object_id: string; object_key: string; number: number }>(
    'SELECT kind, object_id, object_key, environments.number FROM config_feed JOIN environments ON environments.id = environment_id',
  );
  const client = await fixture.pool.connect();
  t.teardown(() => client.release());
  for (const kind of KINDS) {
    const first = await kind.readPage(client, null, 1);
    const second = await kind.readPage(client, first.last, 2);
    t.equal(second.last, null);
    const scanned = [...first.changes, ...second.changes];
    const read = await kind.read(
      client,
      scanned.map(({ id }) => id),
    );
    const byId = new Map(read.map((change) => [change.id, change]));
    t.equal(scanned.length, 2, kind.kind);
    for (const change of scanned) {
      t.strictSame(byId.get(change.id), change);
      t.equal(change.changesTable, kind.changesTable);
      const row = feed.find((row) => row.kind === kind.kind && row.object_id === change.id);
      t.equal(kind.keyOf(row?.number ?? 0, row?.object_key ?? ''), change.key);
    }
  }
});
