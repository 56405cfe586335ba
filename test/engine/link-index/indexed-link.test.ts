import t from 'tap';
import { IndexedLink } from '../../../engine/link-index/indexed-link.js';
import { encodeLink, IndexMemory, writeRecord } from '../../../engine/link-index/record.js';
import { DESTINATION_SLOTS, type LinkRecord } from '../../../shared/records/records.js';
import { linkRecord } from '../fixtures.js';

const PLACE = 3;
const DESTINATIONS = {
  ios: 'https://shop.example/i',
  android: 'https://shop.example/an',
  web: 'https://shop.example/web',
  desktop: 'https://shop.example/desk',
  fallback: 'https://shop.example/fallback',
};

function indexed(path: string, link: LinkRecord): IndexedLink {
  const memory = new IndexMemory(Buffer.from(new ArrayBuffer(8192)));
  const encoded = encodeLink(path, link);
  if (encoded === null) throw new Error('the link is too large');
  writeRecord(memory, PLACE, { hash: 1, environment_number: 1, path }, { link, encoded });
  const view = new IndexedLink();
  view.read(memory, PLACE);
  return view;
}

t.test('an indexed link gives the positions of path, id and the chosen destination', async (t) => {
  const link = linkRecord({ deep_link_path: '/somewhere', data: '{"a":1}', destinations: DESTINATIONS, expires_at_ms: 4e12 });
  const view = indexed('spring-sale', link);
  for (const [index, slot] of DESTINATION_SLOTS.entries()) {
    t.equal(view.chooseDestination(index + 1), DESTINATIONS[slot]);
    const text = (start: number, end: number) => Buffer.from(view.bytes.subarray(start, end)).toString('latin1');
    t.equal(text(view.path_start, view.path_end), 'spring-sale');
    t.equal(text(view.id_start, view.id_end), link.id);
    t.equal(text(view.destination_start, view.destination_end), DESTINATIONS[slot]);
  }
  t.equal(view.expires_at_ms, 4e12);
  t.same(view.record(), link);
});

t.test('only an active link in ASCII that passes on no parameters has direct destinations', async (t) => {
  const link = linkRecord({ destinations: DESTINATIONS });
  t.not(indexed('a', link).directSlots('x=1'), 0);
  t.equal(indexed('a', { ...link, state: 'disabled' }).directSlots(''), 0);
  t.equal(indexed('a', { ...link, deep_link_path: '/ü' }).directSlots(''), 0, 'the numbers of bytes and characters differ');
  const passing = indexed('a', { ...link, allow_param_passthrough: true });
  t.not(passing.directSlots(''), 0);
  t.equal(passing.directSlots('x=1'), 0);
});
