import t from 'tap';
import type { ListenerKind } from '../../../engine/http/listener.js';
import { linkRecord, NO_DESTINATIONS } from '../fixtures.js';
import { started } from './conformance.js';
import { askHostile } from './hostile-requests.js';
import { converse, request } from './raw-http.js';

/** The short form of test/fault/hostile-requests.test.ts. */
const REQUESTS = 6000;

/** Promises R11 and R12, checked on the bytes of the wire. */
export function wire(kind: ListenerKind): void {
  t.test(`${kind}: no query, id or destination changes where a redirect leads, or adds a line to its answer`, async (t) => {
    const { redirected } = await askHostile(kind, REQUESTS, Math.floor(Math.random() * 2 ** 31));
    t.ok(redirected > 0.4 * REQUESTS && redirected < REQUESTS, `${redirected} of ${REQUESTS} were redirects`);
  });

  t.test(`${kind}: UTF-8 in a query is escaped without a change of its meaning, or the request is refused`, async (t) => {
    const served = await started(t, kind);
    served.links.set(
      'abc',
      linkRecord({ allow_param_passthrough: true, destinations: { ...NO_DESTINATIONS, web: 'https://shop.example/' } }),
    );
    const raw = Buffer.from('/abc?city=Köln&x=%C3%A4').toString('latin1');
    const { answers } = await converse(served.port, request(raw), { answers: 1 });
    if (kind === 'node') {
      t.same([answers[0]?.status, served.ledger.clicks.length], [400, 0]);
      return;
    }
    t.equal(answers[0]?.headers.get('location'), 'https://shop.example/?city=K%C3%B6ln&x=%C3%A4');
    t.equal(served.ledger.clicks[0]?.query, 'city=Köln&x=%C3%A4');
  });
}
