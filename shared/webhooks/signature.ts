import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Webhook signatures: `t=<unix seconds>,v1=<hex>`, where v1 is HMAC-SHA256 over `<t>.<raw body>` with the signing secret
 * (`whsec_...`, the whole text as it is) as key. The form is Stripe's, so that what verifies Stripe's webhooks verifies
 * ours (https://docs.stripe.com/webhooks#verify-manually).
 */

/** The contract's recommendation: a receiver refuses a timestamp further than this from its own clock, on either side. */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

/** A header is a timestamp and at most a few signatures; a longer one is refused before anything is computed. */
const HEADER_CHARACTERS_MAX = 1024;
const SIGNATURE_HEX = /^[0-9a-f]{64}$/;
const UNIX_SECONDS = /^\d{1,12}$/;

/** The value of the signature header. One `v1` for each secret in the order given: the newest secret goes first. */
export function signatureHeader(body: string | Uint8Array, timestampSeconds: number, secrets: readonly string[]): string {
  let header = `t=${timestampSeconds}`;
  for (const secret of secrets) header += `,v1=${digest(body, String(timestampSeconds), secret).toString('hex')}`;
  return header;
}

function digest(body: string | Uint8Array, timestamp: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

export interface SignatureCheck {
  /** The header's value as received. */
  readonly header: string;
  /** The raw body as received: a parsed and printed one has other bytes. */
  readonly body: string | Uint8Array;
  /** Any of them may have signed. */
  readonly secrets: readonly string[];
  /** The receiver's clock, milliseconds since the epoch. */
  readonly nowMs: number;
  readonly toleranceSeconds?: number;
}

export type SignatureOutcome = 'valid' | 'malformed_header' | 'no_match' | 'outside_tolerance';

/**
 * Judges a received signature. Every `v1` is compared with every secret in constant time and without stopping at the
 * first match. The timestamp is judged after the signature, so that `outside_tolerance` is only said of a body that is
 * ours.
 */
export function checkSignature(check: SignatureCheck): SignatureOutcome {
  const parsed = parseHeader(check.header);
  if (parsed === null) return 'malformed_header';
  let matched = false;
  for (const secret of check.secrets) {
    const expected = digest(check.body, parsed.timestamp, secret);
    for (const signature of parsed.signatures) matched = timingSafeEqual(expected, signature) || matched;
  }
  if (!matched) return 'no_match';
  const tolerance = check.toleranceSeconds ?? SIGNATURE_TOLERANCE_SECONDS;
  const distanceMs = Math.abs(check.nowMs - Number(parsed.timestamp) * 1000);
  return distanceMs <= tolerance * 1000 ? 'valid' : 'outside_tolerance';
}

interface ParsedHeader {
  /** As it was written: that text was signed. */
  readonly timestamp: string;
  readonly signatures: readonly Buffer[];
}

/** Exactly one `t`, at least one well-formed `v1`; other schemes (`v0`, `v2`) are left to whoever knows them. */
function parseHeader(header: string): ParsedHeader | null {
  if (header.length > HEADER_CHARACTERS_MAX) return null;
  let timestamp: string | null = null;
  const signatures: Buffer[] = [];
  for (const part of header.split(',')) {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(at, 0)).trim();
    const value = part.slice(at + 1).trim();
    if (name === 't') {
      if (timestamp !== null || !UNIX_SECONDS.test(value)) return null;
      timestamp = value;
    } else if (name === 'v1' && SIGNATURE_HEX.test(value)) {
      signatures.push(Buffer.from(value, 'hex'));
    }
  }
  return timestamp === null || signatures.length === 0 ? null : { timestamp, signatures };
}
