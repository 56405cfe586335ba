import t from 'tap';
import { parseOsVersion } from '../../../shared/attribution/os-version.js';

t.test('a version is its major and minor number', async (t) => {
  for (const [text, major, minor] of [
    ['17.5.1', 17, 5],
    ['17.5', 17, 5],
    ['17', 17, 0],
    ['8.1.0', 8, 1],
    ['26.0.1.2', 26, 0],
  ] as const)
    t.same(parseOsVersion(text), { major, minor }, text);
  for (const text of ['', 'x', '17.', '.5', '17_5', '-1', '99999', '17.5.1 beta', '1.'.repeat(50)])
    t.equal(parseOsVersion(text), null, text);
});
