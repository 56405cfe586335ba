import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import Stripe from 'stripe';
import type { Test } from 'tap';
import { bodyFault } from './event-bodies.js';
import { until } from './until.js';

const stripe = new Stripe('sk_test_unused');

/** One webhook delivery as received. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The raw body. */
  readonly body: string;
  readonly event: { readonly id: string; readonly type: string; readonly test?: true; readonly data: object };
  readonly atMs: number;
}

/**
 * An endpoint on loopback. It checks every delivery before it answers: Stripe's public library must accept the
 * signature with a secret of that path, and the body must match the published schema of its type. Any other delivery
 * makes the test fail at its end.
 */
export interface Receiver {
  readonly origin: string;
  readonly received: readonly Received[];
  /** From now on, deliveries may be signed with this secret: those to `path`, or all if it is left out. */
  trust(secret: string, path?: string): void;
  /** Returns what came to a path so far. */
  at(path: string): readonly Received[];
  /** Resolves with the first delivery that fits, already received or yet to come. */
  first(fits: (received: Received) => boolean, what: string): Promise<Received>;
}

export type Answer = (response: ServerResponse, received: Received) => void;

export async function startReceiver(t: Test, answer: Answer): Promise<Receiver> {
  const received: Received[] = [];
  const faults: string[] = [];
  const secrets: { readonly path: string | undefined; readonly secret: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const entry = { path: request.url ?? '', headers: request.headers, body, event: JSON.parse(body), atMs: Date.now() };
      received.push(entry);
      const trusted = secrets.filter(({ path }) => path === undefined || path === entry.path).map(({ secret }) => secret);
      faults.push(...faultsOf(entry, trusted));
      answer(response, entry);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
    if (faults.length > 0)
      throw new Error(`${faults.length} of ${received.length} deliveries are not as promised, the first: ${faults[0]}`);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    received,
    trust: (secret, path) => void secrets.push({ path, secret }),
    at: (path) => received.filter((entry) => entry.path === path),
    first: (fits, what) => until(() => received.find(fits), what),
  };
}

function faultsOf({ path, headers, body, event }: Received, trusted: readonly string[]): readonly string[] {
  const header = String(headers['x-service-signature']);
  const faults: string[] = [];
  if (!trusted.some((secret) => isAccepted(body, header, secret)))
    faults.push(`${path}: none of ${trusted.length} secrets has signed ${header}`);
  const wrong = bodyFault(event.type, body);
  if (wrong !== null) faults.push(wrong);
  return faults;
}

/** Whether Stripe's library accepts the signature of a body. */
export function isAccepted(body: string, header: string, secret: string): boolean {
  try {
    stripe.webhooks.constructEvent(body, header, secret);
    return true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
    throw error;
  }
}
