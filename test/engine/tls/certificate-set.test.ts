import t from 'tap';
import type { Certificate } from '../../../engine/tls/certificate.js';
import { type CertificateSet, certificateFor, certificateSet, equalSets } from '../../../engine/tls/certificate-set.js';

function certificate(chainPath: string, names: readonly string[], notAfterMs = 1000): Certificate {
  return { names, chainPath, chain: '', key: '', notAfterMs, fingerprint: `${chainPath} ${notAfterMs}` };
}

const set = (...certificates: readonly Certificate[]) => certificateSet(certificates) as CertificateSet;

t.test('a host gets its own certificate, otherwise one for its wildcard, otherwise the first', async (t) => {
  const certificates = set(
    certificate('b', ['*.shop.example', 'shop.example']),
    certificate('a', ['go.other.example']),
    certificate('c', ['go.shop.example']),
  );
  for (const [host, path] of [
    ['go.shop.example', 'c'],
    ['GO.Shop.Example', 'c'],
    ['www.shop.example', 'b'],
    ['shop.example', 'b'],
    ['a.b.shop.example', 'a'],
    ['go.other.example', 'a'],
    ['stranger.example', 'a'],
    ['localhost', 'a'],
    ['', 'a'],
  ] as const)
    t.equal(certificateFor(certificates, host).chainPath, path, host);
});

t.test('of several certificates for a name the one that is valid longest is used', async (t) => {
  for (const order of [
    [1, 2],
    [2, 1],
  ]) {
    const certificates = set(...order.map((days) => certificate(`${days}`, ['x.example'], days)));
    t.equal(certificateFor(certificates, 'x.example').chainPath, '2');
    t.equal(certificates.notAfterMs, 2, 'a certificate that is never presented does not count for the expiry');
  }
});

t.test('names of an earlier set keep their certificate if no new certificate has them', async (t) => {
  const before = set(certificate('a', ['a.example']), certificate('b', ['b.example']));
  const after = certificateSet([certificate('a2', ['a.example'])], before);
  t.same(
    [...(after?.byName ?? [])].map(([name, { chainPath }]) => `${name} ${chainPath}`),
    ['a.example a2', 'b.example b'],
  );
  t.equal(certificateSet([]), null);
});

t.test('sets are equal if they present the same certificates', async (t) => {
  const one = set(certificate('a', ['a.example']), certificate('b', ['b.example']));
  t.ok(equalSets(one, set(certificate('b', ['b.example']), certificate('a', ['a.example']))));
  t.notOk(equalSets(one, set(certificate('a', ['a.example']))));
  t.notOk(equalSets(one, set(certificate('a', ['a.example']), certificate('b', ['b.example'], 2000))));
});
