import { join } from 'node:path';
import t from 'tap';
import { SegmentReader } from '../../../engine/shipping/segments/segment-reader.js';
import { addClickSegments } from '../../../engine/shipping/segments/sql.js';
import { TrackedSegment } from '../../../engine/shipping/segments/tracked-segment.js';
import { Shipper } from '../../../engine/shipping/ship.js';
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

t.test('what was made of the texts of a segment that is still written is kept by none of its batches', async (t) => {
  const { number } = await makeEnvironment(client);
  const dir = join(t.testdir(), 's');
  const spool = openClickSpool({ dir, bytesMax: 64 * 1024 * 1024, mapped: true, keys: TEST_SPOOL_KEYS, clock: Date.now });
  const name = segmentNames(dir)[0] as string;
  const opened = await SegmentReader.open(join(dir, name), TEST_SPOOL_KEYS);
  if (!('reader' in opened)) throw new Error('the segment cannot be read');
  const { reader } = opened;
  const segment = new TrackedSegment(name, reader);
  await addClickSegments(client, [reader.id]);
  const shipper = new Shipper(Date.now, 1000);
  const link = newId('link');
  for (const batch of [1, 2, 3]) {
    for (let index = 0; index < 100; index++)
      spool.append(
        makeClick({ environment_number: number, subject_id: link, occurred_at_ms: Date.now(), user_agent: `agent ${batch} ${index}` }),
      );
    await segment.refreshEnd();
    t.match(await shipper.ship(client, [segment]), { kind: 'shipped', clicks: 100 });
    t.ok(reader.dictionary.length > batch * 100, 'the texts themselves are needed by what follows');
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
