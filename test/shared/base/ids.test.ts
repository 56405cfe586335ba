import t from 'tap';
import {
  bytesToUuid,
  decodeUlid,
  encodeUlid,
  ID_PREFIXES,
  type IdKind,
  idAt,
  idBytes,
  idTimeMs,
  idToUuid,
  isId,
  newId,
  uuidToId,
  writeTime,
} from '../../../shared/base/ids.js';
import { INSTANT_MAX_MS } from '../../../shared/base/instant.js';
import fc from '../../support/properties.js';

const bytes16 = fc.uint8Array({ minLength: 16, maxLength: 16 });
const timeMs = fc.integer({ min: 0, max: INSTANT_MAX_MS });

t.test('16 bytes and 26 characters convert into each other exactly', async (t) => {
  fc.assert(
    fc.property(bytes16, (bytes) => {
      const text = encodeUlid(bytes);
      return /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text) && Buffer.from(decodeUlid(text) ?? []).equals(Buffer.from(bytes));
    }),
  );
  // The example of https://github.com/ulid/spec: the largest ULID.
  t.equal(encodeUlid(new Uint8Array(16).fill(255)), '7zzzzzzzzzzzzzzzzzzzzzzzzz');
  t.equal(encodeUlid(new Uint8Array(16)), '0'.repeat(26));
});

t.test('text that is not a ULID decodes to null', async (t) => {
  const valid = encodeUlid(new Uint8Array(16).fill(7));
  const cases = [
    '',
    valid.slice(1),
    `${valid}0`,
    valid.toUpperCase(),
    `8${valid.slice(1)}`,
    `${valid.slice(0, -1)}i`,
    `${valid.slice(0, -1)}l`,
    `${valid.slice(0, -1)}u`,
    `${valid.slice(0, -1)}é`,
  ];
  for (const text of cases) t.equal(decodeUlid(text), null, JSON.stringify(text));
});

t.test('a number of more than 128 bits is refused, even if its characters are valid', async (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...'89abcdefghjkmnpqrstvwxyz'),
      bytes16,
      (first, bytes) => decodeUlid(first + encodeUlid(bytes).slice(1)) === null,
    ),
  );
  t.pass();
});

t.test('ids sort by time, both as text and as uuid', async (t) => {
  fc.assert(
    fc.property(timeMs, timeMs, (a, b) => {
      if (a === b) return true;
      const [early, late] = [idAt('link', Math.min(a, b)), idAt('link', Math.max(a, b))];
      return early < late && (idToUuid('link', early) as string) < (idToUuid('link', late) as string);
    }),
  );
  t.pass();
});

t.test('an id contains its time and its kind, and can be converted to a uuid and back', async (t) => {
  const kinds = Object.keys(ID_PREFIXES) as IdKind[];
  fc.assert(
    fc.property(fc.constantFrom(...kinds), timeMs, (kind, at) => {
      const id = idAt(kind, at);
      return (
        id.startsWith(ID_PREFIXES[kind]) &&
        idTimeMs(kind, id) === at &&
        isId(kind, id) &&
        uuidToId(kind, idToUuid(kind, id) as string) === id
      );
    }),
  );
  t.equal(new Set(Object.values(ID_PREFIXES)).size, kinds.length);
  t.equal(isId('webhook', newId('delivery')), false, 'whd_ is not wh_');
  t.equal(idBytes('link', newId('key')), null);
  t.equal(idToUuid('link', 'lnk_'), null);
  t.equal(idTimeMs('link', 'lnk_nothing'), null);
  t.equal(idTimeMs('link', `lnk_7${'z'.repeat(25)}`), null, 'the year is too large');
  t.equal(idTimeMs('link', idAt('link', INSTANT_MAX_MS)), INSTANT_MAX_MS);
});

t.test('ids of one millisecond differ', async (t) => {
  const ids = new Set(Array.from({ length: 5000 }, () => idAt('click', 1)));
  t.equal(ids.size, 5000);
});

t.test('time is written big-endian in 48 bits, and uuid text is the bytes in order', async (t) => {
  const bytes = new Uint8Array(16);
  writeTime(bytes, 0x0102_0304_0506);
  t.equal(bytesToUuid(bytes), '01020304-0506-0000-0000-000000000000');
});

t.test('ids made in one millisecond sort in the order of their creation, however many there are', (t) => {
  const made = Array.from({ length: 10_000 }, () => idAt('link', 1_700_000_000_000));
  t.same([...made].sort(), made);
  t.equal(new Set(made).size, made.length);
  t.not(idAt('link', 1_700_000_000_001).slice(14), idAt('link', 1_700_000_000_002).slice(14), 'another millisecond gets new random bits');
  t.end();
});
