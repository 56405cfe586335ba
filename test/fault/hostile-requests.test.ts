import t from 'tap';
import { sendHostileRows } from '../engine/http/conformance.js';
import { askHostile } from '../engine/http/hostile-requests.js';

const REQUESTS = 1_000_000;

t.test('promises R11 and R12: none of a million hostile requests changes the target of a redirect or injects a header', async (t) => {
  const { asked, redirected } = await askHostile('uws', REQUESTS, Math.floor(Math.random() * 2 ** 31));
  t.ok(redirected > 0.4 * asked, `${redirected} of ${asked} were redirects`);
});

for (const kind of ['uws', 'node'] as const)
  t.test(`${kind}: promise R10: the listener ends the connection of a hostile request, also if the client leaves that to it`, (t) =>
    sendHostileRows(t, kind, { waits: true }),
  );
