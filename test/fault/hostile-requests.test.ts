import t from 'tap';
import { sendHostileRows } from '../engine/http/conformance.js';
import { askHostile } from '../engine/http/hostile-requests.js';

const REQUESTS = 1_000_000;

t.test('promises R11 and R12: of a million hostile requests none leads elsewhere or breaks out of its header', async (t) => {
  const { asked, redirected } = await askHostile('uws', REQUESTS, Math.floor(Math.random() * 2 ** 31));
  t.ok(redirected > 0.4 * asked, `${redirected} of ${asked} were redirects`);
});

for (const kind of ['uws', 'node'] as const)
  t.test(`${kind}: promise R10, by clients who leave it to the listener to end the connection`, (t) =>
    sendHostileRows(t, kind, { waits: true }),
  );
