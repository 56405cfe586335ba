import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import Stripe from 'stripe';
import type { Test } from 'tap';
import { bodyFault } from './event-bodies.js';

const stripe = new Stripe('sk_test_unused');

export interface Received {
  readonly headers: IncomingHttpHeaders;
  /** The raw body. */
  readonly body: string;
  readonly event: { readonly id: string; readonly type: string; readonly test?: true };
  readonly atMs: number;
  readonly path: string;
}

export interface Receiver {
  readonly origin: string;
  readonly received: Received[];
  /** Secrets of which one must have signed; while none is set nothing is checked. */
  readonly secrets: string[];
  /** Requests whose signature the public library refused, or whose body is not as documented. A test ends by asserting that there are none. */
  readonly refused: string[];
}

/** A local receiver that checks each delivery with Stripe's library before it answers. */
export async function startReceiver(t: Test, answer: (response: ServerResponse, received: Received) => void): Promise<Receiver> {
  const receiver: Receiver & { origin: string } = { origin: '', received: [], secrets: [], refused: [] };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const entry: Received = { headers: request.headers, body, event: JSON.parse(body), atMs: Date.now(), path: request.url ?? '' };
      receiver.received.push(entry);
      const fault = bodyFault(entry.event.type, body);
      if (fault !== null) receiver.refused.push(fault);
      const header = String(request.headers['x-service-signature']);
      if (receiver.secrets.length > 0 && !receiver.secrets.some((secret) => isAccepted(body, header, secret)))
        receiver.refused.push(header);
      answer(response, entry);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  receiver.origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return receiver;
}

export function isAccepted(body: string, header: string, secret: string): boolean {
  try {
    stripe.webhooks.constructEvent(body, header, secret);
    return true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
    throw error;
  }
}
