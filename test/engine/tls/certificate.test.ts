import { generateKeyPairSync } from 'node:crypto';
import t from 'tap';
import { type PemFile, pairCertificates } from '../../../engine/tls/certificate.js';
import { makeCertificate } from '../../support/certificates.js';

const shop = makeCertificate({ names: ['go.shop.example', '*.Shop.example'] });
const other = makeCertificate({ names: ['go.other.example'] });
const authority = makeCertificate({ names: ['authority'], authority: true });

const file = (path: string, text: string): PemFile => ({ path, text });

function paired(...files: readonly PemFile[]) {
  const { certificates, faults } = pairCertificates(files);
  const keyPath = (key: string) => files.find(({ text }) => text === key)?.path;
  return { certificates, faults, pairs: certificates.map(({ chainPath, key }) => `${chainPath} ${keyPath(key)}`) };
}

t.test('a certificate and its key are matched by their content, whatever the files are called', async (t) => {
  const { certificates, faults, pairs } = paired(
    file('a.key', other.key),
    file('b.pem', shop.certificate),
    file('c.pem', other.certificate + other.key),
    file('d.pem', `some text before\n${shop.key}`),
  );
  t.same(pairs, ['b.pem d.pem', 'c.pem c.pem']);
  t.same(certificates[0]?.names, ['go.shop.example', '*.shop.example']);
  t.same(faults, []);
});

t.test('of certbot’s files the full chain is presented, and a chain without a key is no fault', async (t) => {
  const { certificates, pairs, faults } = paired(
    file('cert.pem', shop.certificate),
    file('chain.pem', authority.certificate),
    file('fullchain.pem', shop.certificate + authority.certificate),
    file('privkey.pem', shop.key),
  );
  t.same([pairs, faults], [['fullchain.pem privkey.pem'], []]);
  t.equal(certificates[0]?.chain, shop.certificate + authority.certificate);
});

t.test('a file that cannot be used is a fault that names the file, and the others are used', async (t) => {
  const withKeys = (keys: ReturnType<typeof generateKeyPairSync>) => makeCertificate({ names: ['x.example'], keys } as never);
  const tooSmall = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const unknownKind = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const encrypted = tooSmall.privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }).toString();
  const nameless = makeCertificate({ names: [] });
  for (const [broken, reason] of [
    [[file('x.pem', other.certificate)], /no private key in the folder matches/],
    [[file('x.pem', '')], /neither a certificate nor a private key/],
    [[file('x.pem', 'nonsense')], /neither a certificate nor a private key/],
    [[file('x.pem', other.certificate.replace(/\n.{20}/, '\n@@@@@@@@@@@@@@@@@@@@'))], /cannot be read/],
    [[file('x.pem', other.certificate.slice(0, 200))], /neither a certificate nor a private key/],
    [[file('x.pem', `-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n`)], /cannot be read/],
    [[file('x.pem', encrypted)], /its private key is encrypted/],
    [[file('x.pem', nameless.certificate + nameless.key)], /has no host name/],
    [[file('x.pem', withKeys(unknownKind).certificate + withKeys(unknownKind).key)], /its key must be RSA/],
    [[file('x.pem', shop.certificate + other.certificate), file('y.key', other.key)], null],
  ] as const) {
    const { pairs, faults } = paired(file('good.pem', shop.certificate + shop.key), ...broken);
    if (reason === null) t.same([pairs, faults], [['x.pem good.pem'], []], 'the other file has a longer chain of the same certificate');
    else {
      t.same(pairs, ['good.pem good.pem']);
      t.match(faults, [{ path: 'x.pem', reason }]);
      t.equal(faults.length, 1);
    }
  }
});

t.test('the fingerprint changes with the chain', async (t) => {
  const fingerprint = (text: string) => paired(file('x.pem', text)).certificates[0]?.fingerprint;
  const base = fingerprint(shop.certificate + shop.key);
  t.equal(fingerprint(shop.certificate + shop.key), base);
  t.not(fingerprint(shop.certificate + authority.certificate + shop.key), base);
});
