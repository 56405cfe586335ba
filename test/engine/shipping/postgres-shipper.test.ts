import { join } from 'node:path';
import t from 'tap';
import { PostgresShipper } from '../../../engine/shipping/postgres-shipper.js';
import { SegmentReader } from '../../../engine/shipping/segments/segment-reader.js';
import { addClickSegments } from '../../../engine/shipping/segments/sql.js';
import { TrackedSegment } from '../../../engine/shipping/segments/tracked-segment.js';
import { DEVICE_KIND } from '../../../engine/spool/click.js';
import { openClickSpool } from '../../../engine/spool/click-spool.js';
import { newId } from '../../../shared/base/ids.js';
import { connect, makeEnvironment } from '../../support/click-log.js';
import { makeClick, segmentNames } from '../../support/clicks.js';
import { createDatabase } from '../../support/database.js';
import { TEST_SPOOL_KEYS } from '../../support/spool-keys.js';

const database = await createDatabase();
const client = await connect(database.url);
t.teardown(async () => {
  await client.end();
  await database.drop();
});

t.test('no batch keeps what was derived from the texts of a segment that is still being written', async (t) => {
  const { number } = await makeEnvironment(client);
  const dir = join(t.testdir(), 's');
  const spool = openClickSpool({ dir, bytesMax: 64 * 1024 * 1024, mapped: true, keys: TEST_SPOOL_KEYS, clock: Date.now });
  const name = segmentNames(dir)[0] as string;
  const opened = await SegmentReader.open(join(dir, name), TEST_SPOOL_KEYS);
  if (!('reader' in opened)) throw new Error('the segment cannot be read');
  const { reader } = opened;
  const segment = new TrackedSegment(name, reader);
  await addClickSegments(client, [reader.id]);
  const shipper = new PostgresShipper(Date.now, 1000);
  const link = newId('link');
  for (const batch of [1, 2, 3]) {
    for (let index = 0; index < 100; index++)
      spool.append(
        makeClick({ environment_number: number, subject_id: link, occurred_at_ms: Date.now(), user_agent: `agent ${batch} ${index}` }),
      );
    await segment.refreshEnd();
    t.match(await shipper.ship(client, [segment]), { kind: 'shipped', clicks: 100 });
    t.ok(reader.dictionary.length > batch * 100, 'the following batches need the texts themselves');
    t.same(
      reader.dictionary.filter((entry) => entry.prepared !== null),
      [],
    );
  }
  const { rows } = await client.query('SELECT count(*)::integer AS agents FROM user_agents');
  t.same(rows, [{ agents: 300 }]);
  spool.stop();
  await reader.close();
});

t.test('clicks of an environment that was deleted with its project are not stored, however late they arrive', async (t) => {
  const [stays, gone] = [await makeEnvironment(client), await makeEnvironment(client)];
  await client.query('INSERT INTO erased_environments VALUES ($1, now())', [gone.number]);
  const dir = join(t.testdir(), 's');
  const spool = openClickSpool({ dir, bytesMax: 64 * 1024 * 1024, mapped: true, keys: TEST_SPOOL_KEYS, clock: Date.now });
  const name = segmentNames(dir)[0] as string;
  const opened = await SegmentReader.open(join(dir, name), TEST_SPOOL_KEYS);
  if (!('reader' in opened)) throw new Error('the segment cannot be read');
  const segment = new TrackedSegment(name, opened.reader);
  await addClickSegments(client, [opened.reader.id]);
  const user_agent = 'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X)';
  const ids: string[] = [];
  for (const { number } of [gone, stays, gone]) {
    const at = { environment_number: number, occurred_at_ms: Date.now(), user_agent };
    ids.push(spool.nextId(at.occurred_at_ms));
    spool.append(makeClick({ ...at, subject_id: newId('link') }));
    spool.append(makeClick({ ...at, kind: DEVICE_KIND, subject_id: ids.at(-1) as string, platform_hint: 'ios' }));
  }
  await segment.refreshEnd();
  t.match(await new PostgresShipper(Date.now, 1000).ship(client, [segment]), { kind: 'shipped', clicks: 1, refused: 0 });
  const stored = `SELECT 'clicks' AS table, environment_number FROM clicks UNION ALL SELECT 'open_clicks', environment_number FROM open_clicks
                  UNION ALL SELECT 'click_devices', environment_number FROM click_devices`;
  const { rows } = await client.query(`SELECT * FROM (${stored}) AS stored WHERE environment_number = ANY ($1) ORDER BY 1`, [
    [stays.number, gone.number],
  ]);
  t.same(
    rows,
    ['click_devices', 'clicks', 'open_clicks'].map((table) => ({ table, environment_number: stays.number })),
  );
  spool.stop();
  await opened.reader.close();
});
