import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A certificate and its key as PEM. */
export interface MadeCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateWish {
  /** Hosts as subjectAltName. */
  readonly names: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  readonly keys?: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  /** Whether it is the certificate of an authority, as its basicConstraints say. */
  readonly authority?: boolean;
}

const YEAR_MS = 365 * 86_400_000;

/** Makes a certificate that is signed with its own P-256 key (RFC 5280) and trusted by nobody. */
export function makeCertificate(wish: CertificateWish): MadeCertificate {
  const { publicKey, privateKey } = wish.keys ?? generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = sequence(identifier('2a8648ce3d040302')); // ecdsa-with-SHA256
  const name = sequence(value(0x31, sequence(identifier('550403'), value(0x0c, Buffer.from(wish.names[0] ?? 'nobody'))))); // CN
  const extensions = sequence(
    ...(wish.names.length === 0 ? [] : [extension('551d11', sequence(...wish.names.map((host) => value(0x82, Buffer.from(host)))))]), // subjectAltName
    ...(wish.authority === true ? [extension('551d13', sequence(value(0x01, Buffer.from([0xff]))))] : []), // basicConstraints
  );
  const body = sequence(
    value(0xa0, value(0x02, Buffer.from([2]))), // v3
    value(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(wish.notBefore ?? new Date(Date.now() - YEAR_MS)), time(wish.notAfter ?? new Date(Date.now() + YEAR_MS))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    value(0xa3, extensions),
  );
  const signature = value(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  const der = sequence(body, algorithm, signature).toString('base64');
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${der.replace(/(.{64})/g, '$1\n').trimEnd()}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** One value in DER (ITU-T X.690). */
function value(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head = length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
}

function sequence(...members: readonly Buffer[]): Buffer {
  return value(0x30, Buffer.concat(members));
}

function identifier(hex: string): Buffer {
  return value(0x06, Buffer.from(hex, 'hex'));
}

function extension(identifierHex: string, content: Buffer): Buffer {
  return sequence(identifier(identifierHex), value(0x04, content));
}

/** GeneralizedTime. */
function time(date: Date): Buffer {
  return value(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));
}
