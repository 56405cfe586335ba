import t from 'tap';
import { SharedPlaces } from '../../../engine/preview/shared-places.js';

/** Takes as many places for the type as it may have, and returns how many these were. */
function takeAll(places: SharedPlaces, type: string): number {
  let taken = 0;
  for (; places.hasRoom(type); taken++) places.take(type);
  return taken;
}

t.test('a type has at most half of the places, and however many types want all of them, some are free for another', async (t) => {
  const places = new SharedPlaces(1024);
  t.equal(takeAll(places, 'type-0'), 512);
  for (let n = 1; n < 8; n++) {
    t.ok(takeAll(places, `type-${n}`) > 0);
    t.ok(places.hasRoom('another'));
  }
  t.ok(places.taken < 1024);
});

t.test('types that ask all the time share the places evenly', async (t) => {
  const places = new SharedPlaces(1024);
  const held = new Map<string, number>();
  const change = (type: string, by: number) => held.set(type, (held.get(type) ?? 0) + by);
  const types = ['a', 'b', 'c'];
  for (let n = 0; n < 20_000; n++) {
    const type = types[n % 3] as string;
    if (places.hasRoom(type)) {
      places.take(type);
      change(type, 1);
    } else {
      places.leave(type);
      change(type, -1);
    }
  }
  for (const type of types) t.ok(Math.abs((held.get(type) ?? 0) - 256) < 30, `${type} has ${held.get(type)}`);
  for (const type of types) for (let n = held.get(type) ?? 0; n > 0; n--) places.leave(type);
  t.equal(places.taken, 0);
  t.equal(takeAll(places, 'a'), 512);
});
