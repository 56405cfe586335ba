import fc from 'fast-check';
import t from 'tap';
import type { ListenerKind } from '../../../engine/http/listen.js';
import { linkRecord, NO_DESTINATIONS } from '../fixtures.js';
import { started } from './conformance.js';
import { converse, readAnswers, request } from './raw-http.js';

const DESTINATION = 'https://user@shop.example:8443/a%2Fb/item?redir_url=own#top';

/** Every byte that a request target may bring to a listener, and the pieces that have turned redirects elsewhere. */
const QUERY = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'redir_url=',
        '//other.example',
        '\\',
        '@other.example',
        '%00',
        '%0d%0aSet-Cookie:a',
        '#',
        '?',
        '&',
        '=',
        'https://',
        ';',
        '"',
        '<',
      ),
      fc
        .integer({ min: 0x21, max: 0xff })
        .filter((code) => code !== 0x7f)
        .map((code) => String.fromCharCode(code)),
    ),
    { maxLength: 20 },
  )
  .map((pieces) => pieces.join(''));

/** Promises R11 and R12, on the bytes of the wire. */
export function wire(kind: ListenerKind): void {
  t.test(`${kind}: no query changes where a redirect leads, or adds a line to its answer`, async (t) => {
    const served = await started(t, kind);
    served.links.set('abc', linkRecord({ allow_param_passthrough: true, destinations: { ...NO_DESTINATIONS, web: DESTINATION } }));
    let redirects = 0;
    await fc.assert(
      fc.asyncProperty(QUERY, async (query) => {
        const { answers, bytes } = await converse(served.port, request(`/abc?${query}`), { answers: 1, waitMs: 1000 });
        // readAnswers() has refused every byte in a header that may not stand there.
        readAnswers(bytes, false);
        const answer = answers[0];
        if (answer === undefined || answer.status !== 302) return;
        redirects++;
        const names = [...answer.headers.keys()].sort();
        t.same(
          names.filter((name) => !['date', 'connection', 'keep-alive'].includes(name)),
          ['cache-control', 'content-length', 'location'],
        );
        const location = new URL(answer.headers.get('location') ?? '');
        const whole = `${location.protocol}//${location.username}@${location.host}${location.pathname}${location.hash}`;
        if (whole !== 'https://user@shop.example:8443/a%2Fb/item#top') throw new Error(`led elsewhere: ${location.href}`);
        if (location.searchParams.getAll('redir_url')[0] !== 'own') throw new Error('a parameter was replaced');
      }),
      { numRuns: 400 },
    );
    // node:http refuses every byte above 0x7E in a target.
    t.ok(redirects > (kind === 'node' ? 80 : 300), `${redirects} of 400 were redirects`);
  });

  t.test(`${kind}: UTF-8 in a query arrives escaped, as the sender meant it, or is refused`, async (t) => {
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
