import t from 'tap';
import { binaryIntegers, binaryTexts, binaryUuids } from '../../../control-plane/db/binary-arrays.js';
import { connect } from '../../support/click-log.js';
import { createDatabase } from '../../support/database.js';

const own = await createDatabase();
const client = await connect(own.url);
t.teardown(async () => {
  await client.end();
  await own.drop();
});

t.test('PostgreSQL reads arrays of numbers, texts and uuids as they were given', async (t) => {
  const texts = ['', 'a', Buffer.from('Zürich'), '{"quoted",\\}', 'x'.repeat(300)];
  const uuids = ['\0'.repeat(16), String.fromCharCode(...Array.from({ length: 16 }, (_, place) => 0xf0 + place))];
  const numbers = [0, 1, -1, 2_147_483_647, -2_147_483_648];
  const read = async (numbers: readonly number[], texts: readonly (string | Buffer)[], uuids: readonly string[]) => {
    const { rows } = await client.query('SELECT $1::integer[] AS numbers, $2::text[] AS texts, $3::uuid[]::text[] AS uuids', [
      binaryIntegers(numbers),
      binaryTexts(texts),
      binaryUuids(uuids),
    ]);
    return rows[0];
  };
  t.same(await read(numbers, texts, uuids), {
    numbers,
    texts: texts.map(String),
    uuids: ['00000000-0000-0000-0000-000000000000', 'f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff'],
  });
  t.same(await read([], [], []), { numbers: [], texts: [], uuids: [] });
});
