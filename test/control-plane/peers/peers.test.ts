import t from 'tap';
import { ALONE, Peers, SILENT_MS } from '../../../control-plane/peers/peers.js';
import { manualClock } from '../../support/manual-clock.js';

t.test('a control plane without known peers has the whole share', async (t) => {
  const { now } = manualClock(0);
  t.strictSame(new Peers('a', now).share, ALONE);
});

t.test('each of several control planes has its own part', async (t) => {
  const { now } = manualClock(0);
  const rows = ['c', 'a', 'b'].map((id) => ({ id, beat: '1' }));
  const shares = rows.map(({ id }) => {
    const peers = new Peers(id, now);
    peers.observe(rows);
    return peers.share;
  });
  t.strictSame(
    shares.map(({ rank }) => rank),
    [2, 0, 1],
  );
  t.ok(shares.every(({ count }) => count === 3));
});

t.test('a control plane whose row does not change for a while is left out and returned for removal', async (t) => {
  const clock = manualClock(0);
  const peers = new Peers('a', clock.now);
  const rows = (beat: number) => [
    { id: 'a', beat: String(beat) },
    { id: 'b', beat: '1' },
    { id: 'c', beat: String(beat) },
  ];
  t.strictSame(peers.observe(rows(1)), []);
  clock.advance(SILENT_MS - 1);
  t.strictSame(peers.observe(rows(2)), []);
  t.equal(peers.share.count, 3);
  clock.advance(1);
  t.strictSame(peers.observe(rows(3)), [{ id: 'b', beat: '1' }]);
  t.strictSame(peers.share, { rank: 0, count: 2 });
});

t.test('a control plane does not leave itself out if its own row does not change', async (t) => {
  const clock = manualClock(0);
  const peers = new Peers('a', clock.now);
  peers.observe([{ id: 'a', beat: '1' }]);
  clock.advance(10 * SILENT_MS);
  t.strictSame(peers.observe([{ id: 'a', beat: '1' }]), []);
  t.strictSame(peers.share, ALONE);
});
