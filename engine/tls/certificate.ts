import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';

/** A certificate chain with its private key, as read from their files. */
export interface Certificate {
  /** The hosts that it covers, in lower case; `*.` at the beginning stands for one label. */
  readonly names: readonly string[];
  readonly chainPath: string;
  readonly chain: string;
  readonly key: string;
  readonly notAfterMs: number;
  /** Equal for two certificates that would be presented alike. */
  readonly fingerprint: string;
}

export interface PemFile {
  readonly path: string;
  readonly text: string;
}

export interface CertificateFault {
  readonly path: string;
  readonly reason: string;
}

export interface PairedCertificates {
  readonly certificates: readonly Certificate[];
  readonly faults: readonly CertificateFault[];
}

interface Chain {
  readonly file: PemFile;
  readonly leaf: X509Certificate;
  readonly length: number;
}

/** The kinds of keys that both listeners accept: RFC 8446, section 9.1, and what public authorities sign. */
const RSA_BITS_MIN = 2048;
const CURVES = ['prime256v1', 'secp384r1'];

/**
 * Finds certificates and their keys in files by their content, whatever the files are called: certbot's `fullchain.pem` and
 * `privkey.pem`, `tls.crt` and `tls.key` of a Kubernetes secret, and one file with both are all read alike. The first certificate
 * of a file is the leaf; the others in it lead up from it. If several files contain a certificate, the longest chain is taken. A
 * certificate of an authority without a key is not a fault: `chain.pem` is beside every `fullchain.pem`.
 */
export function pairCertificates(files: readonly PemFile[]): PairedCertificates {
  const faults: CertificateFault[] = [];
  const keys = new Map<string, PemFile>();
  const chains = new Map<string, Chain>();
  for (const file of files) {
    const blocks = pemBlocks(file.text);
    try {
      for (const block of blocks.keys) keys.set(publicPart(createPublicKey(readKey(block))), file);
      const [leaf] = blocks.certificates.map((block) => new X509Certificate(block));
      if (leaf === undefined) {
        if (blocks.keys.length === 0) faults.push({ path: file.path, reason: 'it contains neither a certificate nor a private key' });
        continue;
      }
      const known = chains.get(leaf.fingerprint256);
      if (known === undefined || known.length < blocks.certificates.length)
        chains.set(leaf.fingerprint256, { file, leaf, length: blocks.certificates.length });
    } catch (error) {
      faults.push({ path: file.path, reason: `it cannot be read: ${error instanceof Error ? error.message : String(error)}` });
    }
  }
  const certificates: Certificate[] = [];
  for (const { file, leaf } of chains.values()) {
    const keyFile = keys.get(publicPart(leaf.publicKey));
    const names = hostNames(leaf);
    const reason = faultOf(leaf, keyFile, names);
    if (reason !== '') faults.push({ path: file.path, reason });
    else if (keyFile !== undefined) certificates.push(certificate({ leaf, file, keyFile, names }));
  }
  return { certificates, faults };
}

/** Returns '' for a certificate that can be used, and for one of an authority, which is in the folder because of others. */
function faultOf(leaf: X509Certificate, keyFile: PemFile | undefined, names: readonly string[]): string {
  if (keyFile === undefined) return leaf.ca ? '' : 'no private key in the folder matches its certificate';
  if (!isUsable(leaf.publicKey)) return 'its key must be RSA with 2,048 bits or more, P-256 or P-384';
  return names.length === 0 ? 'its certificate has no host name as subjectAltName' : '';
}

function isUsable({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'rsa') return (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS_MIN;
  return asymmetricKeyType === 'ec' && CURVES.includes(asymmetricKeyDetails?.namedCurve ?? '');
}

interface CertificateParts {
  readonly leaf: X509Certificate;
  readonly file: PemFile;
  readonly keyFile: PemFile;
  readonly names: readonly string[];
}

function certificate({ leaf, file, keyFile, names }: CertificateParts): Certificate {
  return {
    names,
    chainPath: file.path,
    chain: file.text,
    key: keyFile.text,
    notAfterMs: Date.parse(leaf.validTo),
    fingerprint: createHash('sha256').update(`${file.path}\0${file.text}\0${keyFile.path}\0${keyFile.text}`).digest('base64'),
  };
}

const PEM_BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;

/** Finds the PEM blocks (RFC 7468). Text between blocks, which many tools write, is ignored. */
function pemBlocks(text: string): { readonly certificates: readonly string[]; readonly keys: readonly string[] } {
  const certificates: string[] = [];
  const keys: string[] = [];
  for (const [block, label = ''] of text.matchAll(PEM_BLOCK)) {
    if (label === 'CERTIFICATE') certificates.push(block);
    else if (label.endsWith('PRIVATE KEY')) keys.push(block);
  }
  return { certificates, keys };
}

function readKey(block: string): KeyObject {
  if (block.includes('ENCRYPTED')) throw new Error('its private key is encrypted: store it without a passphrase');
  return createPrivateKey(block);
}

function publicPart(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'der' }).toString('base64');
}

/** Node.js quotes names with unusual characters. They are left out, because no host has such a name. */
function hostNames({ subjectAltName = '' }: X509Certificate): readonly string[] {
  return subjectAltName
    .split(', ')
    .map((entry) => /^DNS:((?:\*\.)?[A-Za-z0-9._-]+)$/.exec(entry)?.[1]?.toLowerCase())
    .filter((name) => name !== undefined);
}
