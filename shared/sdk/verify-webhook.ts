import { timingSafeEqual } from 'node:crypto';
import { signatureDigest } from '../webhooks/signature.js';
import type { webhooks } from './server-types.js';

/**
 * Verifies webhook deliveries on the receiver's server. Pure, except that it reads the clock if none is given.
 *
 * ```ts
 * app.post('/hook', express.raw({ type: 'application/json' }), (request, response) => {
 *   const event = verifyWebhook(request.body, request.headers['x-service-signature'], settings.webhookSecret);
 *   if (event.type === 'link.created') console.log(event.data.url);
 *   response.sendStatus(204);
 * });
 * ```
 */

/** How far a delivery's timestamp may be from the receiver's clock, on either side: the service's recommendation. */
export const WEBHOOK_TOLERANCE_SECONDS = 300;

/**
 * An event as it is delivered, with its members named as they were sent. `type` says which `data` it has. New members
 * may be added: ignore those you do not know. Events may be delivered more than once: deduplicate on `id`.
 */
export type WebhookEvent = {
  [Type in keyof webhooks]: webhooks[Type]['post'] extends { requestBody: { content: { 'application/json': infer Event } } }
    ? Event
    : never;
}[keyof webhooks];

export const WEBHOOK_VERIFICATION_CODES = {
  missing_secret: 'No signing secret was given. The secret is shown once, when the endpoint is created or its secret is rotated.',
  missing_header: 'The request has no signature header: it does not come from the service, or a proxy removed the header.',
  malformed_header: 'The signature header does not have the form t=<unix seconds>,v1=<64 hex digits>.',
  body_not_raw:
    'The body is not the raw text or bytes of the request. Verify it before it is parsed: a body that was parsed and serialised again has other bytes.',
  no_match: 'No signature matches: the secret is wrong, or the body or the timestamp was changed on the way.',
  outside_tolerance:
    'The timestamp is too far from the current time: somebody delayed or repeated the delivery, or the clock of this machine is wrong.',
  not_an_event: 'The signature is valid, but the body is not an event.',
} as const satisfies Record<string, string>;

export type WebhookVerificationCode = keyof typeof WEBHOOK_VERIFICATION_CODES;

/** Thrown if a delivery must not be trusted. Answer it with a 400 and do nothing else. `code` is stable. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode) {
    super(WEBHOOK_VERIFICATION_CODES[code]);
    this.code = code;
  }
}

export interface VerifyWebhookOptions {
  /** Seconds; `WEBHOOK_TOLERANCE_SECONDS` if absent. */
  readonly toleranceSeconds?: number;
  /** The receiver's clock, milliseconds since the epoch. */
  readonly nowMs?: number;
}

/**
 * Returns the event of a delivery that is genuine and fresh; throws `WebhookVerificationError` otherwise.
 *
 * - `body`: the raw body as received, text or bytes (a `Buffer` is a `Uint8Array`; `Request.arrayBuffer` gives an `ArrayBuffer`).
 * - `header`: the value of the header `X-Service-Signature` (the service's operator may have given it another name). The
 *   types are those of Node.js's `request.headers[...]` and of `Headers.get`.
 * - `secret`: the endpoint's signing secret, `whsec_...` as it was shown. If several are given, any may have signed.
 *
 * Every `v1` is compared with every secret, in constant time and without stopping at the first match. The timestamp is
 * judged after the signature, so that `outside_tolerance` is only reported for a delivery that the service really
 * signed.
 */
export function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  header: string | readonly string[] | null | undefined,
  secret: string | readonly string[] | undefined,
  options: VerifyWebhookOptions = {},
): WebhookEvent {
  const secrets = secretsOf(secret);
  const raw = rawBody(body);
  if (raw === null) throw new WebhookVerificationError('body_not_raw');
  if (header === undefined || header === null || header === '') throw new WebhookVerificationError('missing_header');
  const { timestamp, signatures } = parseSignatureHeader(header);
  let matched = false;
  for (const key of secrets) {
    const expected = signatureDigest(raw, timestamp, key);
    for (const signature of signatures) matched = timingSafeEqual(expected, signature) || matched;
  }
  if (!matched) throw new WebhookVerificationError('no_match');
  const { toleranceSeconds = WEBHOOK_TOLERANCE_SECONDS, nowMs = Date.now() } = options;
  // Written so that a tolerance or a clock that is not a number leads to a refusal.
  if (!(Math.abs(nowMs - Number(timestamp) * 1000) <= toleranceSeconds * 1000)) throw new WebhookVerificationError('outside_tolerance');
  return parseEvent(raw);
}

/**
 * The body as it was signed; null if it is neither text nor bytes. Bytes of another realm, as in tests of Jest, are not instances of the
 * classes of this one.
 */
function rawBody(body: unknown): string | Uint8Array | null {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return Object.prototype.toString.call(body) === '[object ArrayBuffer]' ? new Uint8Array(body as ArrayBuffer) : null;
}

/** An empty secret is refused, because anybody can sign with it, and an environment variable that is not set often arrives as one. */
function secretsOf(secret: string | readonly string[] | undefined): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : (secret ?? []);
  if (secrets.length === 0 || secrets.some((key) => typeof key !== 'string' || key === ''))
    throw new WebhookVerificationError('missing_secret');
  return secrets;
}

/** A header is a timestamp and one or two signatures; a longer one is refused before anything is computed. */
const HEADER_CHARACTERS_MAX = 1024;
const ELEMENT_NAME = /^[a-z0-9]+$/;
const SIGNATURE_HEX = /^[0-9a-f]{64}$/;
const UNIX_SECONDS = /^\d{1,12}$/;

interface SignatureHeader {
  /** As it was written, because that text was signed. */
  readonly timestamp: string;
  readonly signatures: readonly Buffer[];
}

/**
 * Requires exactly one `t` and at least one `v1`, each of them well formed. Elements with other names (`v0`, a future
 * `v2`) are ignored. A header that came more than once is refused, because it is unknown which of them counts.
 */
function parseSignatureHeader(header: string | readonly string[]): SignatureHeader {
  const malformed = new WebhookVerificationError('malformed_header');
  if (typeof header !== 'string' || header.length > HEADER_CHARACTERS_MAX) throw malformed;
  let timestamp: string | null = null;
  const signatures: Buffer[] = [];
  for (const element of header.split(',')) {
    const at = element.indexOf('=');
    const name = element.slice(0, Math.max(at, 0));
    if (!ELEMENT_NAME.test(name)) throw malformed;
    const value = element.slice(at + 1);
    if (name === 't') {
      if (timestamp !== null || !UNIX_SECONDS.test(value)) throw malformed;
      timestamp = value;
    } else if (name === 'v1') {
      if (!SIGNATURE_HEX.test(value)) throw malformed;
      signatures.push(Buffer.from(value, 'hex'));
    }
  }
  if (timestamp === null || signatures.length === 0) throw malformed;
  return { timestamp, signatures };
}

function parseEvent(body: string | Uint8Array): WebhookEvent {
  const text = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    throw new WebhookVerificationError('not_an_event');
  }
  if (!isEvent(event)) throw new WebhookVerificationError('not_an_event');
  return event;
}

/** The signature vouches for the rest. */
function isEvent(value: unknown): value is WebhookEvent {
  return typeof value === 'object' && value !== null && 'id' in value && 'type' in value && 'data' in value;
}
