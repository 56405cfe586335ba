import { createHmac } from 'node:crypto';

/**
 * Webhook signatures: `t=<unix seconds>,v1=<hex>`, where v1 is HMAC-SHA256 over `<t>.<raw body>` with the signing
 * secret (`whsec_...`, the whole text as it is) as key. The form is Stripe's, so that code that verifies Stripe's
 * webhooks verifies ours (https://docs.stripe.com/webhooks#verify-manually). The receiver's side is
 * `shared/sdk/verify-webhook.ts`.
 */

/** Returns the value of the signature header, with one `v1` for each secret in the given order. The newest secret comes first. */
export function signatureHeader(body: string | Uint8Array, timestampSeconds: number, secrets: readonly string[]): string {
  let header = `t=${timestampSeconds}`;
  for (const secret of secrets) header += `,v1=${signatureDigest(body, String(timestampSeconds), secret).toString('hex')}`;
  return header;
}

/** Returns the 32 bytes of one `v1`. `timestamp` is the text of `t` as it is in the header, because that text is what is signed. */
export function signatureDigest(body: string | Uint8Array, timestamp: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}
