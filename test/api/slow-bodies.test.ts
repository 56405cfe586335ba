import { connect, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { SDK_BODY_BYTES_MAX } from '../../shared/base/limits.js';
import { until } from '../support/until.js';
import { call, send } from './api-client.js';
import { startApiServer } from './api-server.js';

/** Tests clients that send half a request and wait. Both their time and the memory that they occupy on the server are bounded. */

interface Half {
  readonly socket: Socket;
  received(): string;
  readonly closed: Promise<unknown>;
}

function sendHalf(t: Test, port: number, bytes: string): Promise<Half> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, () => resolve({ socket, received: () => received, closed })));
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text;
    });
    socket.on('error', reject);
    const closed = new Promise((close) => socket.once('close', close));
    t.teardown(() => socket.destroy());
  });
}

const halfBody = (path: string, key: string, bytes: number, more = '') =>
  `POST /v1${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n${more}Content-Type: application/json\r\nContent-Length: ${bytes + 1}\r\n\r\n${' '.repeat(bytes)}`;

t.test('a request that is not whole in time is answered and its connection closed, whatever part of it is missing', async (t) => {
  const api = await startApiServer(t, { requestTimeoutMs: 1_000 });
  t.same(api.requestTimeoutsMs, [30_000, 30_000], 'outside of tests');
  const started = performance.now();
  const halves = await Promise.all([
    sendHalf(t, api.port, 'POST /v1/links HTTP/1.1\r\nHost: a\r\n'),
    sendHalf(t, api.port, halfBody('/links', api.liveKey, 10).replace('Content-Length: 11', 'Content-Length: 1000')),
  ]);
  const dripping = setInterval(() => halves[1]?.socket.write(' '), 900);
  for (const { received, closed } of halves) {
    await closed;
    t.match(received(), /^HTTP\/1\.1 400 [\s\S]*"code":"bad_request"/);
    t.match(received(), '"detail":"The request did not arrive in time."');
  }
  clearInterval(dripping);
  t.ok(performance.now() - started < 10_000, 'from its first byte on, however often one more came');
});

t.test('a request that was refused before its body came gets no second answer when its time is over', async (t) => {
  const api = await startApiServer(t, { requestTimeoutMs: 1_000 });
  const { received, closed } = await sendHalf(t, api.port, halfBody('/links', 'unknown', 10));
  await closed;
  t.equal(received().match(/HTTP\/1\.1 /g)?.length, 1, received());
  t.match(received(), /^HTTP\/1\.1 401 /);
});

t.test('a body of an app is at most 64 KiB', async (t) => {
  const api = await startApiServer(t);
  for (const path of ['links', 'resolve', 'opens', 'events']) {
    const answer = await call(t, api.baseUrl, `POST /sdk/${path}`, { key: api.liveAppKey, rawBody: ' '.repeat(SDK_BODY_BYTES_MAX + 1) });
    t.same([answer.status, answer.json.code], [413, 'payload_too_large'], path);
  }
  const chunked = 'Transfer-Encoding: chunked\r\nContent-Type: application/json';
  const head = `POST /v1/sdk/links HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.liveAppKey}\r\n${chunked}\r\n\r\n`;
  const { received } = await sendHalf(t, api.port, `${head}10001\r\n${' '.repeat(0x10001)}`);
  await until(() => /^HTTP\/1\.1 413 /.test(received()));
});

t.test('an address that has a megabyte of bodies on their way is told 429, and others are not', async (t) => {
  const api = await startApiServer(t, { trustedProxyHops: 1 });
  const from = (address: string) => `X-Forwarded-For: ${address}\r\n`;
  const bytes = SDK_BODY_BYTES_MAX - 1;
  const halves = await Promise.all(
    Array.from({ length: 17 }, () => sendHalf(t, api.port, halfBody('/sdk/links', api.liveAppKey, bytes, from('198.51.100.1')))),
  );
  const refusal =
    /^HTTP\/1\.1 429 [\s\S]*retry-after: 1\r\n[\s\S]*"Too many bodies are being sent at once with this key or from this address\."/i;
  await until(() => halves.some(({ received }) => refusal.test(received())));
  t.equal(halves.filter(({ received }) => received() !== '').length, 1);
  const ask = (address: string) =>
    send(api.baseUrl, 'POST /sdk/links', { key: api.liveAppKey, body: {}, headers: { 'x-forwarded-for': address } });
  t.equal((await ask('198.51.100.1')).status, 429);
  t.equal((await ask('198.51.100.2')).status, 201);
  t.equal((await send(api.baseUrl, 'POST /links', { key: api.liveKey, body: {} })).status, 201, 'servers have bytes of their own');
  for (const { socket } of halves) socket.destroy();
  await until(async () => (await ask('198.51.100.1')).status === 201, 'what was held to be given back');
});

t.test('a text in another charset than UTF-8 is 415', async (t) => {
  const api = await startApiServer(t);
  for (const [type, status] of [
    ['application/json; charset=utf-16', 415],
    ['application/json;charset="UTF-16LE"', 415],
    ['application/json; charset=iso-8859-1', 415],
    ['application/json; charset=UTF-8', 201],
    ['application/json;charset="utf-8"', 201],
    ['application/json', 201],
  ] as const)
    t.equal(
      (await call(t, api.baseUrl, 'POST /links', { key: api.liveKey, rawBody: '{}', headers: { 'content-type': type } })).status,
      status,
      type,
    );
});
