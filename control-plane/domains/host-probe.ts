import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { HostCertificate, HostRoute } from '../../shared/contract/schemas/domain-connection.js';
import { arePublic } from '../../shared/net/public-host.js';
import { HOST_PROOF_PATH } from '../../shared/resolve/link-addresses.js';

/** How a host responded to the request for the proof that this service answers it. */
export interface ProbedHost {
  readonly route: HostRoute;
  /** Null if the host showed none. */
  readonly certificate: HostCertificate | null;
}

export interface HostProbeOptions {
  /** OUTBOUND_ALLOW: origins that may have other than public addresses, and respond over plain HTTP. */
  readonly allow: readonly string[];
  readonly isProof: (text: string) => boolean;
  /** Certificates (PEM) to trust in place of the built-in ones. */
  readonly ca?: string;
}

/** Sends a request to the host of the origin, at the first of the addresses. `addresses` are all that are known of it. */
export type HostProbe = (origin: string, addresses: readonly string[]) => Promise<ProbedHost>;

/** For connecting, TLS and the response together. */
const DEADLINE_MS = 5000;

/** More than the length of a proof. */
const ANSWER_BYTES_MAX = 256;

export function createHostProbe(options: HostProbeOptions): HostProbe {
  return async (origin, addresses) => {
    const [address] = addresses;
    if (address === undefined) return unreachable('no_address');
    const isPublic = origin.startsWith('https:') && arePublic(addresses);
    if (!isPublic && !options.allow.includes(origin)) return unreachable('blocked_address');
    try {
      return await probe(new URL(HOST_PROOF_PATH, origin), address, options);
    } catch (error) {
      return unreachable(error instanceof Error && error.name === 'AbortError' ? 'timeout' : 'connection_failed');
    }
  };
}

function unreachable(error: HostRoute['error']): ProbedHost {
  return { route: { status: 'unreachable', error }, certificate: null };
}

async function probe(url: URL, address: string, { isProof, ca }: HostProbeOptions): Promise<ProbedHost> {
  const response = await getFrom(url, {
    lookup: onlyTo(address),
    agent: false,
    signal: AbortSignal.timeout(DEADLINE_MS),
    headers: { connection: 'close' },
    // The certificate is to be reported even if nobody would trust it.
    ...{ rejectUnauthorized: false, ...(ca === undefined ? {} : { ca }) },
  });
  const certificate = response.socket instanceof TLSSocket ? certificateOf(response.socket) : null;
  const here = response.statusCode === 200 && isProof((await firstBytes(response)).trim());
  return { route: { status: here ? 'correct' : 'other_server', error: null }, certificate };
}

function getFrom(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    send(url, options, resolve).on('error', reject).end();
  });
}

/** Connects to this address only. The name was already resolved and checked, and is not looked up again. */
function onlyTo(address: string): LookupFunction {
  const family = address.includes(':') ? 6 : 4;
  return (_hostname, { all }, callback) => (all === true ? callback(null, [{ address, family }]) : callback(null, address, family));
}

async function firstBytes(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    if (text.length > ANSWER_BYTES_MAX) break;
  }
  response.destroy();
  return text;
}

/** Codes of OpenSSL and Node.js: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const CERTIFICATE_FAULTS: Readonly<Record<string, HostCertificate['status']>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'other_host',
};

function certificateOf(socket: TLSSocket): HostCertificate {
  const { issuer, valid_to } = socket.getPeerCertificate();
  // Node.js sets the code of the error here, although its types say an Error.
  const fault = String(socket.authorizationError ?? '');
  return {
    status: socket.authorized ? 'valid' : (CERTIFICATE_FAULTS[fault] ?? 'untrusted'),
    // The first one, if the issuer has several.
    issuer: [issuer.O ?? issuer.CN ?? null].flat()[0] ?? null,
    expires_at: new Date(valid_to).toISOString(),
  };
}
