import { join } from 'node:path';
import t from 'tap';
import { openEnvironment } from '../../../engine/store/environment.js';
import {
  CODEC_KEY,
  CURSOR_KEY,
  ENVIRONMENT_RANGE,
  environmentKey,
  linkKey,
  readNumber,
  speaksOurCodec,
  TABLES_KEY,
} from '../../../engine/store/keys.js';
import fc from '../../support/properties.js';

const number = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const path = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);

t.test('keys sort by number, then by the bytes of the path, as the bootstrap reads them', async () => {
  fc.assert(
    fc.property(number, path, number, path, (a, p, b, q) => {
      const expected = a - b || Buffer.compare(Buffer.from(p), Buffer.from(q));
      return Math.sign(Buffer.compare(Buffer.from(linkKey(a, p)), Buffer.from(linkKey(b, q)))) === Math.sign(expected);
    }),
  );
});

t.test('environments have keys of their own in a range that contains no other keys', async (t) => {
  fc.assert(
    fc.property(number, path, number, (a, p, b) => {
      const inRange = (key: string) => key >= ENVIRONMENT_RANGE.start && key < ENVIRONMENT_RANGE.end;
      return inRange(environmentKey(a)) && !inRange(linkKey(b, p)) && (a === b) === (environmentKey(a) === environmentKey(b));
    }),
  );
  for (const key of [CURSOR_KEY, CODEC_KEY, TABLES_KEY]) t.notOk(key >= ENVIRONMENT_RANGE.start && key < ENVIRONMENT_RANGE.end);
});

t.test('a missing number is 0, and a store without a version counts as one of another codec', async (t) => {
  const { environment, close } = openEnvironment(join(t.testdir(), 'generation'), 'follow');
  t.equal(readNumber(environment, TABLES_KEY), 0);
  t.equal(speaksOurCodec(environment), false);
  environment.putSync(TABLES_KEY, Buffer.from('41'));
  t.equal(readNumber(environment, TABLES_KEY), 41);
  await close();
});
