import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import t, { type Test } from 'tap';
import { LOOK_MS } from '../../../engine/tls/certificate-reloader.js';
import { makeCertificate } from '../../support/certificates.js';
import { manualTimers } from '../../support/manual-scheduler.js';
import { until } from '../../support/until.js';
import { linkRecord } from '../fixtures.js';
import { type ServedOptions, serve } from '../visit/served.js';
import { request } from './raw-http.js';

const SHOP = makeCertificate({ names: ['go.shop.example'] });
const OTHER = makeCertificate({ names: ['*.other.example', 'other.example'] });
const RENEWED = makeCertificate({ names: ['go.shop.example'], notAfter: new Date(Date.now() + 2 * 365 * 86_400_000) });

const pem = ({ certificate, key }: typeof SHOP) => certificate + key;
/** The certificate in the form that `getPeerCertificate().raw` has, in hex. */
const raw = ({ certificate }: typeof SHOP) => Buffer.from(certificate.replace(/-----.*-----|\n/g, ''), 'base64').toString('hex');

interface Client {
  readonly socket: TLSSocket;
  readonly presented: string;
  readonly protocol: string | null;
  ask(path: string): Promise<string>;
}

/** Opens one connection. Rejects if the handshake fails. */
async function shakeHands(
  port: number,
  servername: string,
  options: { readonly maxVersion?: 'TLSv1.2' | 'TLSv1.1' } = {},
): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false, ...options });
  await new Promise<void>((resolve, reject) => {
    socket.once('secureConnect', resolve);
    socket.once('error', reject);
  });
  return {
    socket,
    presented: socket.getPeerCertificate().raw.toString('hex'),
    protocol: socket.getProtocol(),
    ask: (path) =>
      new Promise((resolve, reject) => {
        socket.once('data', (data: Buffer) => resolve(data.toString('latin1')));
        socket.once('error', reject);
        socket.write(request(path));
      }),
  };
}

for (const kind of ['uws', 'node'] as const) {
  const start = async (t: Test, files: Readonly<Record<string, string>>, options: ServedOptions = {}) => {
    const tlsCertificatesDir = t.testdir(files);
    const timers = manualTimers();
    const served = await serve(kind, { ...options, tlsCertificatesDir, schedule: timers.schedule });
    t.teardown(() => served.stop());
    served.links.set('abc', linkRecord());
    const write = (name: string, text: string) => {
      writeFileSync(join(tlsCertificatesDir, 'new'), text);
      renameSync(join(tlsCertificatesDir, 'new'), join(tlsCertificatesDir, name));
    };
    const look = async () => {
      timers.advance(LOOK_MS);
      await until(() => timers.count() === 1, 'the folder to be read');
    };
    const presentedTo = async (servername: string) => {
      const { socket, presented } = await shakeHands(served.tlsPort, servername);
      socket.destroy();
      return presented;
    };
    return { served, write, look, presentedTo };
  };
  const tlsHealth = (served: Awaited<ReturnType<typeof serve>>) => served.host.health().find(({ part }) => part === 'tls');

  t.test(`${kind}: each host presents its own certificate, and is served as over plain HTTP`, async (t) => {
    const { served, presentedTo } = await start(t, { 'a.pem': pem(SHOP), 'b.pem': pem(OTHER) });
    for (const [host, certificate] of [
      ['go.shop.example', SHOP],
      ['other.example', OTHER],
      ['x.other.example', OTHER],
      ['stranger.example', SHOP],
      ['', SHOP],
    ] as const)
      t.equal(await presentedTo(host), raw(certificate), host);
    const client = await shakeHands(served.tlsPort, 'go.shop.example');
    t.match(await client.ask('/abc'), /^HTTP\/1\.1 302 Found\r\n(.*\r\n)*location: https:\/\/shop\.example\/\r\n/i);
    t.match(await client.ask('/none'), /^HTTP\/1\.1 404 /, 'a second request on the same connection');
    t.equal(client.protocol, 'TLSv1.3');
    t.equal(served.host.stats().connections, 1);
    client.socket.destroy();
    t.equal(served.ledger.clicks.length, 1);
    t.same([...(served.ledger.clicks[0]?.address_bytes ?? [])], [127, 0, 0, 1]);
    t.same(tlsHealth(served), { part: 'tls', ok: true, reason: '' });
  });

  t.test(`${kind}: TLS 1.2 works, and older versions do not`, async (t) => {
    const { served } = await start(t, { 'a.pem': pem(SHOP) });
    const client = await shakeHands(served.tlsPort, 'go.shop.example', { maxVersion: 'TLSv1.2' });
    t.equal(client.protocol, 'TLSv1.2');
    client.socket.destroy();
    await t.rejects(shakeHands(served.tlsPort, 'go.shop.example', { maxVersion: 'TLSv1.1' }));
  });

  t.test(`${kind}: a renewed certificate is presented to new connections, and open connections go on`, async (t) => {
    const { served, write, look, presentedTo } = await start(t, { 'a.pem': pem(SHOP), 'b.pem': pem(OTHER) });
    const kept = await shakeHands(served.tlsPort, 'go.shop.example');
    await kept.ask('/abc');
    write('a.pem', pem(RENEWED));
    await look();
    await until(async () => (await presentedTo('go.shop.example')) === raw(RENEWED), 'the renewed certificate');
    t.equal(await presentedTo('x.other.example'), raw(OTHER), 'other certificates stay');
    t.equal(await presentedTo(''), raw(RENEWED));
    t.match(await kept.ask('/abc'), /^HTTP\/1\.1 302 /, 'a connection from before the renewal is still served');
    kept.socket.destroy();
  });

  t.test(`${kind}: a broken file leaves all certificates as they are, and health names the file`, async (t) => {
    const { served, write, look, presentedTo } = await start(t, { 'a.pem': pem(SHOP), 'b.pem': pem(OTHER) });
    write('b.pem', 'half of a fi');
    await look();
    t.equal(await presentedTo('other.example'), raw(OTHER));
    t.match(tlsHealth(served), { ok: false, reason: /b\.pem: it contains neither/ });
    write('a.pem', pem(RENEWED));
    await look();
    await until(async () => (await presentedTo('go.shop.example')) === raw(RENEWED), 'the renewed certificate');
    t.equal(await presentedTo('other.example'), raw(OTHER), 'its file is still broken');
  });

  t.test(`${kind}: without a certificate only plain HTTP is served, and TLS starts as soon as there is one`, async (t) => {
    const { served, write, look } = await start(t, {});
    t.equal(served.tlsPort, 0);
    t.match(tlsHealth(served), { ok: false, reason: /it contains no certificate$/ });
    write('a.pem', pem(SHOP));
    await look();
    await until(() => tlsHealth(served)?.ok, 'the listener');
  });

  t.test(`${kind}: a drain also ends TLS connections, even those without a handshake`, async (t) => {
    const { served } = await start(t, { 'a.pem': pem(SHOP) });
    const idle = await shakeHands(served.tlsPort, 'go.shop.example');
    await idle.ask('/abc');
    const silent = (await import('node:net')).connect(served.tlsPort, '127.0.0.1');
    await new Promise((resolve) => silent.once('connect', resolve));
    const ended = Promise.all(
      [idle.socket, silent].map((socket) => new Promise((resolve) => socket.on('error', resolve).once('close', resolve))),
    );
    idle.socket.resume();
    silent.resume();
    const began = performance.now();
    await served.stop(300);
    await ended;
    t.ok(performance.now() - began < 5000);
  });
}
