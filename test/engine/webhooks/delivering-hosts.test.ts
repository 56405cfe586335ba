import t from 'tap';
import { DeliveringHosts, SETTLING_MS, SILENT_MS } from '../../../engine/webhooks/delivering-hosts.js';
import { CAP_MAX, EndpointSlots } from '../../../engine/webhooks/endpoint-slots.js';
import { manualClock } from '../../support/manual-clock.js';

const row = (id: string, beat: number, delivers = true) => ({ id, beat: String(beat), delivers });

t.test('a host sends nothing before it knows which others deliver, and starts at once if there are none', async (t) => {
  const hosts = new DeliveringHosts(manualClock(0).now);
  t.equal(hosts.count, 0);
  hosts.observe('a', [row('a', 1), row('far', 1, false)]);
  t.equal(hosts.count, 1);
});

t.test('a host that joins others waits until their deliveries under way fit their new share', async (t) => {
  const clock = manualClock(0);
  const old = new DeliveringHosts(clock.now);
  old.observe('a', [row('a', 1)]);
  const coming = new DeliveringHosts(clock.now);
  coming.observe('b', [row('a', 1), row('b', 1)]);
  t.equal(coming.count, 0);
  clock.advance(2_000);
  old.observe('a', [row('a', 2), row('b', 2)]);
  t.equal(old.count, 2, 'the other hosts make room at once');
  clock.advance(SETTLING_MS - 2_001);
  t.equal(coming.count, 0);
  clock.advance(1);
  t.equal(coming.count, 2);
});

t.test('the share of a host that was lost without notice, or that lost the role, goes to the others', async (t) => {
  const clock = manualClock(0);
  const hosts = new DeliveringHosts(clock.now);
  hosts.observe('a', [row('a', 1)]);
  hosts.observe('a', [row('a', 2), row('b', 7), row('c', 1)]);
  t.equal(hosts.count, 3);
  clock.advance(SILENT_MS);
  hosts.observe('a', [row('a', 3), row('b', 7), row('c', 2)]);
  t.equal(hosts.count, 2);
  hosts.observe('a', [row('a', 4), row('b', 7), row('c', 3, false)]);
  t.equal(hosts.count, 1);
});

t.test('all delivering hosts together send an endpoint no more at once than a single host would', async (t) => {
  for (const hosts of [1, 2, 3, 7]) {
    const slots = Array.from({ length: hosts }, () => new EndpointSlots(undefined, () => hosts));
    const key = { queue: 'wh_a', host: 'receiver.example' };
    let underWay = 0;
    // Enough successful rounds to raise the cap to its maximum.
    for (const own of slots)
      for (let round = 0; round < 1_000; round++) {
        const [granted = 0] = own.grant([key]).slots;
        for (let n = 0; n < granted; n++) own.taken(key);
        if (round < 999) for (let n = 0; n < granted; n++) own.released(key, true);
        else underWay += granted;
      }
    t.ok(underWay <= CAP_MAX, `${hosts} hosts: ${underWay}`);
    t.ok(underWay > CAP_MAX - hosts, `${hosts} hosts: ${underWay}`);
  }
  const none = new EndpointSlots(undefined, () => 0);
  t.strictSame(none.grant([{ queue: 'wh_a', host: 'h' }]).slots, []);
  t.ok(none.isFull({ queue: 'wh_a', host: 'h' }), 'the queue is not asked again at once');
});
