import t from 'tap';
import {
  CAP_FIRST,
  CAP_MAX,
  CLAIM_MAX,
  EndpointSlots,
  FAILING_IN_FLIGHT_MAX,
  HOST_IN_FLIGHT_MAX,
  IN_FLIGHT_MAX,
  type SlotKey,
} from '../../../engine/webhooks/endpoint-slots.js';
import fc from '../../support/properties.js';

/** Endpoints, each with a host of its own. */
function due(...ids: readonly string[]): readonly SlotKey[] {
  return ids.map(own);
}

function own(id: string): SlotKey {
  return { queue: id, host: `${id}.example.com` };
}

function take(slots: EndpointSlots, id: string, count: number): void {
  for (let index = 0; index < count; index++) slots.taken(own(id));
}

t.test(
  'an endpoint starts with few slots, gains one with each round of successes and loses half with each failure, down to one',
  async (t) => {
    const slots = new EndpointSlots();
    const cap = () => slots.grant(due('wh_a')).slots[0];
    t.equal(cap(), CAP_FIRST);
    for (let round = 1; round <= 4; round++) {
      const held = cap() as number;
      take(slots, 'wh_a', held);
      for (let index = 0; index < held; index++) slots.released(own('wh_a'), true);
      t.ok((cap() as number) >= CAP_FIRST + round - 1 && (cap() as number) <= CAP_FIRST + round, `round ${round}: ${cap()}`);
    }
    for (let index = 0; index < CAP_MAX * CAP_MAX; index++) {
      slots.taken(own('wh_a'));
      slots.released(own('wh_a'), true);
    }
    t.equal(cap(), CAP_MAX);
    const seen: (number | undefined)[] = [];
    for (let index = 0; index < 9; index++) {
      slots.taken(own('wh_a'));
      slots.released(own('wh_a'), false);
      seen.push(cap());
    }
    t.same(seen, [64, 32, 16, 8, 4, 2, 1, 1, 1]);
    slots.taken(own('wh_a'));
    slots.released(own('wh_a'), null);
    t.equal(cap(), 1, 'a delivery that was not sent changes nothing');
  },
);

t.test('deliveries under way count against their endpoint until they are released', async (t) => {
  const slots = new EndpointSlots();
  take(slots, 'wh_a', CAP_FIRST);
  t.ok(slots.isFull(own('wh_a')));
  t.same(slots.grant(due('wh_a', 'wh_b')), { queues: ['wh_b'], slots: [CAP_FIRST] });
  slots.released(own('wh_a'), null);
  t.notOk(slots.isFull(own('wh_a')));
  t.same(slots.grant(due('wh_a')), { queues: ['wh_a'], slots: [1] });
  t.throws(() => slots.released(own('wh_b'), true), { name: 'InvariantError' });
});

t.test('if one claim cannot take all endpoints, each is served in turn', async (t) => {
  const slots = new EndpointSlots();
  const ids = Array.from({ length: CLAIM_MAX * 3 }, (_, index) => `wh_${String(index).padStart(5, '0')}`);
  const served = new Map<string, number>();
  for (let pass = 0; pass < 6; pass++) for (const id of slots.grant(due(...ids)).queues) served.set(id, (served.get(id) ?? 0) + 1);
  t.equal(served.size, ids.length);
  t.same([...new Set(served.values())], [2]);
});

t.test('endpoints that do not answer leave slots to the others', async (t) => {
  const slots = new EndpointSlots();
  const ids = ['wh_a', 'wh_dead', 'wh_z'];
  take(slots, 'wh_dead', CAP_FIRST);
  for (let index = 0; index < CAP_FIRST; index++) slots.released(own('wh_dead'), false);
  take(slots, 'wh_dead', 1);
  t.same(slots.grant(due(...ids)).queues.toSorted(), ['wh_a', 'wh_z']);
});

t.test('however many endpoints do not answer, three quarters of all slots are left to the others', async (t) => {
  const slots = new EndpointSlots();
  const dead = Array.from({ length: 2 * IN_FLIGHT_MAX }, (_, index) => `wh_dead_${String(index).padStart(5, '0')}`);
  for (const id of dead) {
    take(slots, id, 3);
    for (let index = 0; index < 3; index++) slots.released(own(id), false);
  }
  for (let pass = 0; pass < 20; pass++) for (const id of slots.grant(due(...dead)).queues) slots.taken(own(id));
  t.equal(slots.inFlight, FAILING_IN_FLIGHT_MAX);
  t.ok(slots.isFull(own(dead[0] as string)));
  t.same(slots.grant(due(...dead, 'wh_works')), { queues: ['wh_works'], slots: [1] });
  slots.released(own(dead.find((id) => slots.isFull(own(id))) as string), true);
  t.equal(slots.inFlight, FAILING_IN_FLIGHT_MAX - 1);
});

t.test('no grant ever exceeds the limits', async (t) => {
  const action = fc.record({
    endpoint: fc.integer({ min: 0, max: 60 }),
    outcome: fc.constantFrom(true, false, null),
    finish: fc.boolean(),
  });
  const property = fc.property(fc.array(action, { maxLength: 400 }), (actions) => {
    const slots = new EndpointSlots();
    const ids = Array.from({ length: 61 }, (_, index) => `wh_${String(index).padStart(2, '0')}`);
    const inFlight = new Map<string, number>();
    for (const { endpoint, outcome, finish } of actions) {
      const id = ids[endpoint] as string;
      const held = inFlight.get(id) ?? 0;
      if (finish && held > 0) {
        slots.released(own(id), outcome);
        inFlight.set(id, held - 1);
      } else {
        const grant = slots.grant(due(...ids));
        const total = grant.slots.reduce((sum, count) => sum + count, 0);
        if (total > CLAIM_MAX || total + slots.inFlight > IN_FLIGHT_MAX) return false;
        for (const [index, granted] of grant.queues.entries()) {
          const count = grant.slots[index] as number;
          take(slots, granted, count);
          inFlight.set(granted, (inFlight.get(granted) ?? 0) + count);
          if (count < 1 || (inFlight.get(granted) as number) > CAP_MAX) return false;
        }
      }
      if (slots.inFlight !== [...inFlight.values()].reduce((sum, count) => sum + count, 0)) return false;
    }
    return true;
  });
  t.doesNotThrow(() => fc.assert(property));
});

t.test('an endpoint with nothing queued and nothing under way is forgotten after a minute, and not before', async (t) => {
  let now = 1000;
  const slots = new EndpointSlots(() => now);
  for (const id of ['wh_a', 'wh_b', 'wh_c']) {
    slots.taken(own(id));
    slots.released(own(id), false);
  }
  slots.taken(own('wh_b'));
  now += 59_999;
  slots.keepOnly(new Set(['wh_c']));
  t.equal(slots.grant(due('wh_a')).slots[0], CAP_FIRST / 2, 'the endpoint may get one delivery every second');
  now += 1;
  slots.keepOnly(new Set(['wh_c']));
  t.equal(slots.grant(due('wh_a')).slots[0], CAP_FIRST, 'the endpoint is forgotten and starts as new');
  t.equal(slots.grant(due('wh_b')).slots[0], CAP_FIRST / 2 - 1, 'a delivery is under way');
  t.equal(slots.grant(due('wh_c')).slots[0], CAP_FIRST / 2, 'a delivery is queued');
});

t.test(
  'all endpoints on one host together get no more deliveries at once than one endpoint may, and other hosts are not delayed',
  async (t) => {
    const slots = new EndpointSlots();
    const shared = Array.from(
      { length: 100 },
      (_, index): SlotKey => ({ queue: `wh_${String(index).padStart(3, '0')}`, host: 'victim.example.com' }),
    );
    const held: SlotKey[] = [];
    for (let pass = 0; pass < 20; pass++) {
      const { queues, slots: counts } = slots.grant([...shared, own('wh_other')]);
      for (const [index, id] of queues.entries()) {
        const key = shared.find(({ queue }) => queue === id) ?? own(id);
        for (let count = 0; count < (counts[index] as number); count++) {
          slots.taken(key);
          held.push(key);
        }
      }
      t.ok(held.filter(({ host }) => host === 'victim.example.com').length <= HOST_IN_FLIGHT_MAX);
    }
    t.equal(held.filter(({ host }) => host === 'victim.example.com').length, HOST_IN_FLIGHT_MAX);
    t.equal(held.filter(({ queue }) => queue === 'wh_other').length, CAP_FIRST, 'another host has its own slots');
    t.ok(slots.isFull(shared[99] as SlotKey), 'only a release frees a slot');
    for (const key of held) slots.released(key, null);
    t.equal(slots.inFlight, 0);
    t.notOk(slots.isFull(shared[99] as SlotKey));
  },
);

t.test('the endpoints of a full host are served in turn', async (t) => {
  const slots = new EndpointSlots();
  const shared = Array.from(
    { length: 3 * HOST_IN_FLIGHT_MAX },
    (_, index): SlotKey => ({ queue: `wh_${String(index).padStart(4, '0')}`, host: 'one.example.com' }),
  );
  const served = new Set<string>();
  for (let pass = 0; pass < 3; pass++) for (const id of slots.grant(shared).queues) served.add(id);
  t.equal(served.size, shared.length);
});
