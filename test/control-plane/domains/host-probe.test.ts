import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import t, { type Test } from 'tap';
import { createHostProbe } from '../../../control-plane/domains/host-probe.js';
import { type MadeCertificate, makeCertificate } from '../../support/certificates.js';

const HOST = 'links.example.org';
const DAY_MS = 86_400_000;
const good = makeCertificate({ names: [HOST], authority: true });
const old = makeCertificate({ names: [HOST], authority: true, notAfter: new Date(Date.now() - DAY_MS) });
const others = makeCertificate({ names: ['shop.example.org'], authority: true });
const unknown = makeCertificate({ names: [HOST] });
const TRUSTED = [good, old, others].map(({ certificate }) => certificate).join('');

async function listening(t: Test, server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

const answering =
  (text: string, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status).end(text);
  };

const probing = (origin: string, allow = [origin]) =>
  createHostProbe({ allow, isProof: (text) => text === 'proof', ca: TRUSTED })(origin, ['127.0.0.1']);

t.test('a probe reports the state of the certificate, whether or not the service answers', async (t) => {
  const secured = async (pair: MadeCertificate, text = 'proof\n') => {
    const port = await listening(t, createHttpsServer({ cert: pair.certificate, key: pair.key }, answering(text)));
    return probing(`https://${HOST}:${port}`);
  };
  t.match(await secured(good), {
    route: { status: 'correct', error: null },
    certificate: { status: 'valid', issuer: HOST, expires_at: /^\d{4}-.*Z$/ },
  });
  t.match(await secured(good, 'Welcome to nginx!'), { route: { status: 'other_server' }, certificate: { status: 'valid' } });
  t.match(await secured(old), { route: { status: 'correct' }, certificate: { status: 'expired' } });
  t.match(await secured(others), { certificate: { status: 'other_host' } });
  t.match(await secured(unknown), { certificate: { status: 'untrusted' } });
});

t.test('over plain HTTP no certificate is reported, and an answer without the proof counts as another server', async (t) => {
  const answers = async (listener: RequestListener) => probing(`http://${HOST}:${await listening(t, createHttpServer(listener))}`);
  t.same(await answers(answering('proof\n')), { route: { status: 'correct', error: null }, certificate: null });
  t.match(await answers(answering('proof', 404)), { route: { status: 'other_server' } });
  t.match(await answers(answering('x'.repeat(1_000_000))), { route: { status: 'other_server' } });
  t.match(await answers((_request, response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end()), {
    route: { status: 'other_server' },
  });
});

t.test('a probe that cannot reach the host reports the reason', async (t) => {
  const hangs = await listening(t, createTcpServer());
  const closes = await listening(
    t,
    createTcpServer((socket) => void socket.destroy()),
  );
  const unreachable = (error: string) => ({ route: { status: 'unreachable', error }, certificate: null });
  t.same(await probing(`https://${HOST}:${closes}`), unreachable('connection_failed'));
  t.same(await probing(`http://${HOST}:${hangs}`), unreachable('timeout'));
  t.same(await probing(`https://${HOST}:${closes}`, []), unreachable('blocked_address'), 'an address of a private network is blocked');
  const anyone = createHostProbe({ allow: [], isProof: () => true });
  t.same(await anyone(`http://${HOST}`, ['93.184.216.34']), unreachable('blocked_address'), 'plain HTTP');
  t.same(
    await anyone(`https://${HOST}`, ['93.184.216.34', '10.0.0.1']),
    unreachable('blocked_address'),
    'a host with one private address is blocked',
  );
  t.same(await anyone(`https://${HOST}`, []), unreachable('no_address'));
});
