import t from 'tap';
import { Responder } from '../../../engine/http/respond.js';
import { brandOf } from '../../../engine/pages/brand.js';
import { statusPage } from '../../../engine/pages/status-page.js';
import { STATUS_PAGE_NAMES } from '../../../engine/pages/texts/page-texts.js';
import { RecordedSink } from './recorded-sink.js';

t.test('a location that is not allowed in a header is never written', async (t) => {
  for (const location of [
    '',
    'https://a.example/\r\nSet-Cookie: a',
    'https://a.example/ b',
    'https://a.example/\u0100',
    'https://a.example/\0',
    'https://a.example/\x7f',
  ]) {
    const responder = new Responder();
    const sink = new RecordedSink();
    t.equal(responder.redirect(sink, 'GET', location), false, JSON.stringify(location));
    t.equal(sink.status, '');
    t.ok(responder.canAnswer(), 'another answer can still be given');
  }
});

t.test('a redirect is 302 and may not be cached', async (t) => {
  const sink = new RecordedSink();
  t.equal(new Responder().redirect(sink, 'GET', 'https://a.example/'), true);
  t.same(
    [sink.status, sink.headers, sink.body, sink.ended],
    [
      '302 Found',
      [
        ['Cache-Control', 'private, no-store'],
        ['Location', 'https://a.example/'],
      ],
      '',
      'kept',
    ],
  );
});

t.test('a page is not cached, indexed, sniffed or framed', async (t) => {
  for (const name of STATUS_PAGE_NAMES) {
    const page = statusPage(name, 'zh', brandOf('Shop'));
    const sink = new RecordedSink();
    new Responder().statusPage(sink, 'GET', page);
    t.equal(sink.status, page.status);
    t.equal(sink.header('Cache-Control'), 'no-store');
    t.equal(sink.header('X-Robots-Tag'), 'noindex');
    t.equal(sink.header('X-Content-Type-Options'), 'nosniff');
    t.match(sink.header('Content-Security-Policy'), /^default-src 'none';.*frame-ancestors 'none'/);
    t.equal(sink.header('Allow'), page.status.startsWith('405') ? 'GET, HEAD' : undefined);
    t.equal(sink.header('Retry-After'), page.status.startsWith('503') ? '1' : undefined);
    t.equal(sink.header('Content-Language'), 'zh-Hans');
    t.equal(sink.header('Vary'), name === 'no_destination' ? 'User-Agent, Accept-Language' : 'Accept-Language');
  }
});

t.test('an answer to HEAD gives the length and ends without an argument', async (t) => {
  const sink = new RecordedSink();
  new Responder().page(sink, 'HEAD', { html: 'äöü', policy: "default-src 'none'", language: 'de' });
  t.equal(sink.header('Content-Length'), '6');
  t.equal(sink.body, null);
  t.equal(sink.header('Vary'), 'User-Agent, Accept-Language');
});

t.test('a card is the same for all languages', async (t) => {
  const sink = new RecordedSink();
  new Responder().card(sink, 'GET', Buffer.from('<!DOCTYPE html>'));
  t.same([sink.status, sink.header('Vary'), sink.header('Content-Language')], ['200 OK', 'User-Agent', undefined]);
});

t.test('while the process drains, every answer closes its connection', async (t) => {
  const responder = new Responder();
  responder.closing = true;
  const get = new RecordedSink();
  responder.health(get, 'GET', false);
  t.same([get.status, get.ended], ['503 Service Unavailable', 'closing']);
  const head = new RecordedSink();
  responder.health(head, 'HEAD', true);
  t.equal(head.header('Connection'), 'close');
});

t.test('an answer counts as settled once it is deferred, or once its connection is dropped', async (t) => {
  const responder = new Responder();
  responder.begin();
  t.notOk(responder.isSettled());
  responder.defer();
  t.ok(responder.isSettled());
  responder.begin();
  responder.drop(new RecordedSink());
  t.ok(responder.isSettled());
  t.notOk(responder.canAnswer());
});

t.test('a body is written as fast as the client reads it', async (t) => {
  const slow = new RecordedSink();
  slow.room = 4;
  new Responder().file(slow, 'GET', 'text/plain', Buffer.from('0123456789'));
  t.same([slow.body, slow.ended], ['0123', 'no']);
  t.equal(slow.writable?.(4), false);
  t.equal(slow.writable?.(8), true);
  t.same([slow.body, slow.ended], ['0123456789', 'kept']);
});
