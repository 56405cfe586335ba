import t, { type Test } from 'tap';
import type { ListenerKind } from '../../../engine/http/listener.js';
import { REFUSED_BODY_BYTES_MAX, REFUSED_BODY_DEADLINE_MS } from '../../../shared/base/limits.js';
import { AddressRanges } from '../../../shared/net/address-ranges.js';
import { makeCertificate } from '../../support/certificates.js';
import { linkRecord, NO_DESTINATIONS, PREVIEW } from '../fixtures.js';
import { type Served, serve } from '../visit/served.js';
import { converse, request } from './raw-http.js';

const DESTINATION = 'https://shop.example/item?a=1#top';

/** The permitted reactions to a request that must not be served: one of the statuses, or a connection that ends without an answer. */
export interface HostileRow {
  readonly name: string;
  readonly bytes: string;
  readonly statuses: readonly number[];
  /** A listener that cannot tell this request from one that may be served. */
  readonly unseenBy?: ListenerKind;
  /** A listener that takes this for the beginning of a head, and waits for the rest until the client closes or 10 s have passed. */
  readonly heldBy?: ListenerKind;
}

/** Sent after every row. However the row is parsed, these bytes must not be taken for a request of their own. */
const SECOND = request('/second');
const HOST = 'Host: go.shop.example\r\n';

/** Promise R10. None of these rows is redirected, and nothing that follows them on the connection is answered. */
export const HOSTILE: readonly HostileRow[] = [
  {
    name: 'two lengths that differ, zero first',
    bytes: `GET /abc HTTP/1.1\r\n${HOST}Content-Length: 0\r\nContent-Length: 48\r\n\r\n`,
    statuses: [400],
  },
  {
    name: 'two lengths that differ, zero last',
    bytes: `GET /abc HTTP/1.1\r\n${HOST}Content-Length: 48\r\nContent-Length: 0\r\n\r\n`,
    statuses: [400],
  },
  { name: 'two lengths that agree', bytes: `GET /abc HTTP/1.1\r\n${HOST}Content-Length: 0\r\nContent-Length: 0\r\n\r\n`, statuses: [400] },
  {
    name: 'an empty length before another',
    bytes: `GET /abc HTTP/1.1\r\n${HOST}Content-Length:\r\nContent-Length: 48\r\n\r\n`,
    statuses: [400],
  },
  { name: 'a signed length', bytes: `GET /abc HTTP/1.1\r\n${HOST}Content-Length: +0\r\n\r\n`, statuses: [400] },
  { name: 'a body', bytes: `GET /abc HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nabcde`, statuses: [413] },
  { name: 'a posted body', bytes: `POST /abc HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nabcde`, statuses: [413] },
  {
    name: 'a body that begins with a request',
    bytes: `GET /abc HTTP/1.1\r\n${HOST}Content-Length: ${SECOND.length}\r\n\r\n`,
    statuses: [413],
  },
  { name: 'a chunked body', bytes: `GET /abc HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, statuses: [400] },
  { name: 'an empty transfer encoding', bytes: `GET /abc HTTP/1.1\r\n${HOST}Transfer-Encoding:\r\n\r\n`, statuses: [400] },
  { name: 'a transfer encoding nobody knows', bytes: `GET /abc HTTP/1.1\r\n${HOST}Transfer-Encoding: x\r\n\r\n`, statuses: [400] },
  {
    name: 'length and transfer encoding',
    bytes: `GET /abc HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    statuses: [400],
  },
  { name: 'HTTP/1.0', bytes: `GET /abc HTTP/1.0\r\n${HOST}\r\n`, statuses: [505] },
  { name: 'HTTP/2.0', bytes: `GET /abc HTTP/2.0\r\n${HOST}\r\n`, statuses: [400, 505] },
  { name: 'no Host among other headers', bytes: 'GET /abc HTTP/1.1\r\nAccept: */*\r\n\r\n', statuses: [400] },
  { name: 'no header at all', heldBy: 'uws', bytes: 'GET /abc HTTP/1.1\r\n\r\n', statuses: [400] },
  { name: 'an empty Host', bytes: 'GET /abc HTTP/1.1\r\nHost:\r\n\r\n', statuses: [400] },
  { name: 'two Hosts', bytes: `GET /abc HTTP/1.1\r\n${HOST}Host: other.example\r\n\r\n`, statuses: [400] },
  { name: 'two equal Hosts', bytes: `GET /abc HTTP/1.1\r\n${HOST}${HOST}\r\n`, statuses: [400] },
  { name: 'a CR in the query', heldBy: 'uws', bytes: `GET /abc?x=\rSet-Cookie:a=b HTTP/1.1\r\n${HOST}\r\n`, statuses: [400] },
  { name: 'a NUL in the path', bytes: `GET /a\0bc HTTP/1.1\r\n${HOST}\r\n`, statuses: [400, 505] },
  { name: 'a NUL in a header', heldBy: 'uws', bytes: `GET /abc HTTP/1.1\r\n${HOST}A: b\0c\r\n\r\n`, statuses: [400] },
  { name: 'a control character in a header', heldBy: 'uws', bytes: `GET /abc HTTP/1.1\r\n${HOST}X: a\x01b\r\n\r\n`, statuses: [400] },
  { name: 'a folded header', heldBy: 'uws', bytes: `GET /abc HTTP/1.1\r\n${HOST}A: b\r\n c\r\n\r\n`, statuses: [400] },
  {
    name: 'a space before the colon',
    heldBy: 'uws',
    bytes: `GET /abc HTTP/1.1\r\n${HOST}Content-Length : 5\r\n\r\nabcde`,
    statuses: [400],
  },
  { name: 'bare line feeds', bytes: 'GET /abc HTTP/1.1\nHost: go.shop.example\n\n', statuses: [400, 505] },
  { name: 'an asterisk', bytes: `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, statuses: [400, 505] },
  { name: 'an authority', bytes: `CONNECT other.example:443 HTTP/1.1\r\n${HOST}\r\n`, statuses: [400, 505] },
  { name: 'a TLS greeting', bytes: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', statuses: [400, 505] },
  { name: 'a hundred headers', bytes: `GET /abc HTTP/1.1\r\n${HOST}${'A: b\r\n'.repeat(99)}\r\n`, statuses: [431] },
  {
    name: 'a header without a name',
    unseenBy: 'uws',
    bytes: `GET /abc HTTP/1.1\r\n${HOST}: b\r\n\r\n`,
    statuses: [400],
  },
  {
    name: 'a second Host behind a header without a name',
    unseenBy: 'uws',
    bytes: `GET /abc HTTP/1.1\r\n${HOST}: b\r\nHost: other.example\r\n\r\n`,
    statuses: [400],
  },
  { name: 'a line without a colon', heldBy: 'uws', bytes: `GET /abc HTTP/1.1\r\n${HOST}Content-Length\r\n\r\n`, statuses: [400] },
  { name: 'a CR in a header', heldBy: 'uws', bytes: `GET /abc HTTP/1.1\r\n${HOST}A: b\rContent-Length: 5\r\n\r\n`, statuses: [400] },
  {
    name: 'a line feed in a header',
    heldBy: 'uws',
    bytes: `GET /abc HTTP/1.1\r\n${HOST}A: b\nTransfer-Encoding: chunked\r\n\r\n`,
    statuses: [400],
  },
  { name: 'a length in hexadecimal', bytes: `GET /abc HTTP/1.1\r\n${HOST}Content-Length: 0x5\r\n\r\nabcde`, statuses: [400] },
  { name: 'a list of lengths', bytes: `GET /abc HTTP/1.1\r\n${HOST}Content-Length: 5, 5\r\n\r\nabcde`, statuses: [400] },
  {
    name: 'a length beyond all numbers',
    bytes: `GET /abc HTTP/1.1\r\n${HOST}Content-Length: ${'9'.repeat(30)}\r\n\r\n`,
    statuses: [400, 413],
  },
  {
    name: 'chunked, spelt with a tab',
    bytes: `GET /abc HTTP/1.1\r\n${HOST}Transfer-Encoding:\tchunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
    statuses: [400],
  },
  { name: 'a head of 20,000 bytes', bytes: `GET /abc HTTP/1.1\r\n${HOST}Cookie: ${'c'.repeat(20_000)}\r\n\r\n`, statuses: [431] },
];

/** The preamble of the PROXY protocol, version 2, for a client with port 1. */
function proxyV2(familyAndProtocol: number, addresses: readonly number[]): string {
  const body = [...addresses, 0, 1, 0, 80];
  return `\r\n\r\n\0\r\nQUIT\n\x21${String.fromCharCode(familyAndProtocol)}\0${String.fromCharCode(body.length)}${Buffer.from(body).toString('latin1')}`;
}

/** Both listeners end a silent connection after 10 to 12 s; the rest is for a busy machine. */
const CLOSE_MS = 25_000;

/**
 * Sends every row over plain HTTP and over TLS. If the listener holds a row, the client waits until the listener closes the
 * connection if `waits` is set, and half-closes the connection otherwise.
 */
export async function sendHostileRows(t: Test, kind: ListenerKind, { waits }: { readonly waits: boolean }): Promise<void> {
  const { certificate, key } = makeCertificate({ names: ['go.shop.example'] });
  const served = await started(t, kind, { tlsCertificatesDir: t.testdir({ 'go.pem': certificate + key }) });
  const send = async (tls: boolean, { name, bytes, statuses, heldBy }: HostileRow) => {
    const row = `${name}${tls ? ' over TLS' : ''}`;
    const halfClose = heldBy === kind && !waits;
    const port = tls ? served.tlsPort : served.port;
    const { answers, closed } = await converse(port, bytes + SECOND, { waitMs: CLOSE_MS, tls, halfClose });
    t.ok(closed, `${row}: the connection ends`);
    t.ok(answers.length <= 1, `${row}: one answer at most`);
    for (const { status } of answers) t.ok(statuses.includes(status), `${row}: ${status} is one of ${statuses.join(', ')}`);
  };
  const rows = HOSTILE.filter(({ unseenBy }) => unseenBy !== kind);
  await Promise.all([false, true].flatMap((tls) => rows.map((row) => send(tls, row))));
  t.equal(served.ledger.clicks.length, 0, 'none of these requests is a click');
  t.equal((await converse(served.port, request('/abc'), { answers: 1 })).answers[0]?.status, 302, 'the listener still serves');
  t.equal(
    (await converse(served.tlsPort, request('/abc'), { answers: 1, tls: true })).answers[0]?.status,
    302,
    'the listener still serves over TLS',
  );
}

export function conformance(kind: ListenerKind): void {
  t.test(`${kind}: requests that must not be served are refused or closed, and nothing after them is answered`, (t) =>
    sendHostileRows(t, kind, { waits: false }),
  );

  t.test(`${kind}: a bad request with a clear end is refused with a complete answer, and its connection ends`, async (t) => {
    const { certificate, key } = makeCertificate({ names: ['go.shop.example'] });
    const served = await started(t, kind, { tlsCertificatesDir: t.testdir({ 'go.pem': certificate + key }) });
    const sized = (method: string, bytes: number | string, more = '') =>
      `${method} /abc HTTP/1.1\r\n${HOST}${more}Content-Length: ${bytes}\r\n\r\n`;
    const rows: readonly (readonly [name: string, bytes: string, rest: string | undefined, status: number])[] = [
      ['a body in the packet of its head', `${sized('GET', 5)}abcde`, undefined, 413],
      ['a body that comes later', sized('POST', 5), 'abcde', 413],
      ['a body in two pieces', `${sized('PUT', 5)}ab`, 'cde', 413],
      ['a body of HEAD', `${sized('HEAD', 5)}abcde`, undefined, 413],
      ['a body as large as is read', sized('POST', REFUSED_BODY_BYTES_MAX), 'a'.repeat(REFUSED_BODY_BYTES_MAX), 413],
      ['a body that is not sent', sized('POST', 5), undefined, 413],
      ['a body that nobody could send', sized('POST', '9'.repeat(15)), undefined, 413],
      ['a body that waits for 100', sized('POST', 5, 'Expect: 100-continue\r\n'), 'abcde', 413],
      ['two Hosts', `GET /abc HTTP/1.1\r\n${HOST}Host: other.example\r\n\r\n`, undefined, 400],
      ['two Hosts and a body', `GET /abc HTTP/1.1\r\n${HOST}Host: other.example\r\nContent-Length: 5\r\n\r\nabcde`, undefined, 413],
    ];
    await Promise.all(
      [false, true].flatMap((tls) =>
        rows.map(async ([name, bytes, rest, status]) => {
          const row = `${name}${tls ? ' over TLS' : ''}`;
          const { answers, closed } = await converse(tls ? served.tlsPort : served.port, bytes, {
            rest: rest ?? '',
            tls,
            waitMs: CLOSE_MS,
          });
          t.same(
            answers.map((answer) => answer.status),
            [status],
            row,
          );
          t.match(answers[0]?.headers.get('connection') ?? '', /close/i, row);
          t.ok(closed, `${row}: the connection ends`);
        }),
      ),
    );
    const { figures } = served.host.stats();
    t.same([figures.of('body_refused'), figures.of('bad_request'), figures.of('failed')], [18, 2, 0]);
    t.equal(served.ledger.clicks.length, 0);
  });

  t.test(`${kind}: a body beyond the limit is cut off`, async (t) => {
    const served = await started(t, kind);
    const bytes = 20 * REFUSED_BODY_BYTES_MAX;
    const head = `POST /abc HTTP/1.1\r\n${HOST}Content-Length: ${bytes}\r\n\r\n`;
    const began = performance.now();
    const { answers, closed } = await converse(served.port, head + 'a'.repeat(bytes), { waitMs: CLOSE_MS });
    t.ok(closed);
    // The client may or may not read the answer before it notices that the connection has ended.
    for (const { status } of answers) t.equal(status, 413);
    t.ok(performance.now() - began < REFUSED_BODY_DEADLINE_MS, 'the body is cut off before the deadline');
    t.equal(served.host.stats().figures.of('body_refused'), 1);
  });

  t.test(`${kind}: what follows a header without a name is not taken for a request, or a proxy in front is needed`, async (t) => {
    const served = await started(t, kind);
    const bytes = `GET /abc HTTP/1.1\r\n${HOST}: b\r\nContent-Length: ${SECOND.length}\r\n\r\n${SECOND}`;
    const { answers } = await converse(served.port, bytes, { answers: 2 });
    const statuses = answers.map(({ status }) => status);
    if (kind === 'uws' && statuses.length === 2) {
      // uWebSockets.js takes such a header for the end of the headers, and the body for another request. Newer builds do not.
      t.same(statuses, [302, 404]);
      t.comment('this build of uWebSockets.js needs a proxy that refuses a header without a name: see test/deploy/proxies.test.ts');
    } else t.same(statuses, [400]);
  });

  t.test(`${kind}: a request with an absolute target is served for the host in the target, or is refused`, async (t) => {
    const served = await started(t, kind);
    const ask = async (target: string, host = 'other.example') =>
      (await converse(served.port, request(target, { Host: host }), { answers: 1 })).answers[0]?.status;
    const targets = ['http://go.shop.example/abc', 'HTTP://GO.shop.example:80/abc?x=1', 'https://go.shop.example/abc'];
    const statuses = await Promise.all(targets.map((target) => ask(target)));
    if (kind === 'uws') {
      t.same(statuses, [505, 505, 505], 'uWebSockets.js has no absolute targets, and needs a proxy in front for them');
      return;
    }
    t.same(statuses, [302, 302, 302]);
    t.equal(served.ledger.clicks.length, 3);
    t.equal(await ask('http://other.example/abc', 'go.shop.example'), 404, 'the Host header is ignored');
    for (const target of ['http://me@go.shop.example/abc', 'http://go.shop.example:80a/', 'ftp://go.shop.example/abc', 'http:///abc'])
      t.equal(await ask(target), 400, target);
  });

  t.test(`${kind}: a PROXY preamble never sets the address of a client`, async (t) => {
    // uWebSockets.js accepts the preamble from anyone; node:http refuses it.
    for (const trustedProxies of [null, AddressRanges.parse(['127.0.0.0/8'])]) {
      const served = await started(t, kind, { trustedProxies });
      for (const preamble of [proxyV2(0x11, [6, 6, 6, 6, 127, 0, 0, 1]), proxyV2(0x21, [...Buffer.alloc(32, 0x66)])]) {
        const { answers } = await converse(served.port, preamble + request('/abc') + request('/abc'), { answers: 2 });
        t.same(
          answers.map(({ status }) => status),
          kind === 'uws' ? [302, 302] : [400],
        );
      }
      const addresses = served.ledger.clicks.map(({ address_text, address_bytes }) => [address_text, [...(address_bytes ?? [])]]);
      t.same(addresses, kind === 'uws' ? Array(4).fill(['', [127, 0, 0, 1]]) : [], 'the address is that of the socket');
    }
  });

  t.test(`${kind}: a GET is redirected, may not be cached, and is one click`, async (t) => {
    const served = await started(t, kind);
    const { answers } = await converse(served.port, request('/abc'), { answers: 1 });
    t.equal(answers[0]?.status, 302);
    t.equal(answers[0]?.headers.get('location'), DESTINATION);
    t.equal(answers[0]?.headers.get('cache-control'), 'private, no-store');
    t.equal(answers[0]?.headers.get('content-length'), '0');
    t.equal(served.ledger.clicks.length, 1);
  });

  t.test(`${kind}: HEAD answers as GET without a body and is not a click`, async (t) => {
    const served = await started(t, kind);
    served.links.set('card', linkRecord({ card: '{"title":"Spring","description":null,"image_url":null}' }));
    for (const path of ['/abc', '/no-link.txt', '/robots.txt', '/health/live', '/card']) {
      const agent: Record<string, string> = path === '/card' ? { 'User-Agent': PREVIEW } : {};
      const get = (await converse(served.port, request(path, agent), { answers: 1 })).answers[0];
      const before = served.ledger.clicks.length;
      const both = request(path, agent, 'HEAD') + request(path, agent, 'HEAD');
      const heads = await converse(served.port, both, { answers: 2, heads: true });
      t.equal(heads.answers.length, 2, `${path}: a body would have broken the second answer`);
      t.equal(heads.answers[0]?.status, get?.status);
      for (const name of ['content-length', 'location', 'content-type', 'cache-control'])
        t.equal(heads.answers[1]?.headers.get(name), get?.headers.get(name), `${path}: ${name}`);
      t.equal(served.ledger.clicks.length, before, `${path}: no click`);
    }
  });

  t.test(`${kind}: another method is answered 405 with the allowed methods, and is no click`, async (t) => {
    const served = await started(t, kind);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
      const { answers } = await converse(served.port, request('/abc', {}, method), { answers: 1 });
      t.equal(answers[0]?.status, 405, method);
      t.equal(answers[0]?.headers.get('allow'), 'GET, HEAD');
    }
    for (const method of ['get', 'Get', 'head', 'HEAd', 'GETT']) {
      const { answers } = await converse(served.port, request('/abc', {}, method), { answers: 1 });
      t.ok([400, 405].includes(answers[0]?.status ?? 0), `${method} is another method than GET and HEAD`);
    }
    t.equal(served.ledger.clicks.length, 0);
  });

  t.test(`${kind}: an invalid Host is answered 400 for every path and method, and the connection stays open`, async (t) => {
    const served = await started(t, kind);
    for (const [path, method] of [
      ['/abc', 'GET'],
      ['/robots.txt', 'GET'],
      ['/abc', 'POST'],
    ] as const)
      for (const Host of ['###', 'go.shop.example, other.example', 'go.shop.example/x', 'me@go.shop.example', 'go.shop.example:80a']) {
        const { answers } = await converse(served.port, request(path, { Host }, method) + request('/abc'), { answers: 2 });
        t.same(
          answers.map(({ status }) => status),
          [400, 302],
          `${method} ${path} on ${Host}`,
        );
      }
    t.equal(served.ledger.clicks.length, 15);
    t.equal(served.host.stats().figures.of('bad_request'), 15);
  });

  t.test(`${kind}: a request that comes in two pieces is answered as a whole one`, async (t) => {
    const served = await started(t, kind);
    const bytes = request('/abc?a=1', { 'User-Agent': 'x' });
    await Promise.all(
      Array.from({ length: bytes.length - 1 }, async (_, index) => {
        const begin = bytes.slice(0, index + 1);
        const { answers, closed } = await converse(served.port, begin, { answers: 1, rest: bytes.slice(index + 1) });
        // uWebSockets.js takes a partly received HTTP version for a wrong one.
        const unsure = kind === 'uws' && (begin === 'GET ' || (begin.startsWith('GET /abc?a=1 ') && !begin.includes('\n')));
        if (unsure && answers[0]?.status === 505) t.ok(closed);
        else t.equal(answers[0]?.status, 302, JSON.stringify(begin));
      }),
    );
  });

  t.test(`${kind}: a Content-Length of 0, an Upgrade and an Expect header do not change the answer`, async (t) => {
    const served = await started(t, kind);
    for (const headers of [
      { 'Content-Length': '0' },
      { Connection: 'upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' },
      { Expect: '100-continue' },
      { Expect: 'foo' },
    ]) {
      const { answers } = await converse(served.port, request('/abc', headers as Record<string, string>), { answers: 1 });
      t.equal(answers[0]?.status, 302, JSON.stringify(headers));
    }
  });

  t.test(`${kind}: pipelined requests are answered in their order`, async (t) => {
    const served = await started(t, kind);
    const { answers } = await converse(served.port, request('/abc') + request('/no-link.txt') + request('/robots.txt') + request('/abc'), {
      answers: 4,
    });
    t.same(
      answers.map((answer) => answer.status),
      [302, 404, 200, 302],
    );
    t.equal(served.ledger.clicks.length, 2);
  });

  t.test(`${kind}: a body after a valid request ends the connection, and nothing after it is answered`, async (t) => {
    const served = await started(t, kind);
    const post = request('/abc', { 'Content-Length': '3' }, 'POST');
    const { answers, closed } = await converse(served.port, `${request('/abc')}${post}abc${SECOND}`, { waitMs: CLOSE_MS });
    t.ok(closed);
    t.same(
      answers.map(({ status }) => status),
      [302, 413].slice(0, answers.length),
      'nothing after the body is answered',
    );
    t.equal(served.ledger.clicks.length, 1);
  });

  t.test(`${kind}: eight kilobytes of cookies and ninety headers are served`, async (t) => {
    const served = await started(t, kind);
    const many = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`X-Header-${index}`, 'value']));
    t.equal((await converse(served.port, request('/abc', { Cookie: 'c'.repeat(8000) }), { answers: 1 })).answers[0]?.status, 302);
    t.equal((await converse(served.port, request('/abc', many), { answers: 1 })).answers[0]?.status, 302);
  });

  t.test(`${kind}: a connection that is cut at any byte stores no click and causes no failure`, async (t) => {
    const served = await started(t, kind);
    const bytes = request('/abc', { 'User-Agent': 'x' });
    for (let length = 1; length < bytes.length; length += 1) await converse(served.port, bytes.slice(0, length), { waitMs: 2 });
    t.equal(served.ledger.clicks.length, 0);
    t.equal(served.host.stats().figures.of('failed'), 0);
    t.equal((await converse(served.port, bytes, { answers: 1 })).answers[0]?.status, 302);
  });
}

/** A link host with one link, which is stopped at the end of the test. */
export async function started(
  test: { teardown(end: () => Promise<void>): void },
  kind: ListenerKind,
  options: Parameters<typeof serve>[1] = {},
): Promise<Served> {
  const served = await serve(kind, options);
  test.teardown(() => served.stop());
  served.links.set('abc', linkRecord({ destinations: { ...NO_DESTINATIONS, web: DESTINATION } }));
  return served;
}
