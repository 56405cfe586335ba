import type { IncomingMessage, RequestListener } from 'node:http';
import type { DemoDelivery } from '../../control-plane/cli/demo-project.js';
import { verifyWebhook, WebhookVerificationError } from '../../shared/sdk/verify-webhook.js';

export interface ReceiverOptions {
  readonly secret: string;
  /** SERVICE_NAME, which the header names contain. */
  readonly serviceName: string;
  readonly onDelivery: (delivery: DemoDelivery) => void;
}

/** An event of the service has some kilobytes. */
const BODY_BYTES_MAX = 1024 ** 2;

/** What a customer would write: accepts deliveries that the SDK verifies, and answers everything else with 400. */
export function webhookReceiver({ secret, serviceName, onDelivery }: ReceiverOptions): RequestListener {
  return (request, response) => {
    readBody(request).then(
      (body) => {
        const header = (name: string) => String(request.headers[`x-${serviceName}-${name}`.toLowerCase()] ?? '');
        const judged = judge(body, header('signature'), secret);
        const response_code = judged.fault === null ? 204 : 400;
        response.writeHead(response_code).end();
        onDelivery({ at: new Date().toISOString(), delivery: header('delivery'), ...judged, response_code });
      },
      () => response.destroy(), // aborted, or longer than any event
    );
  };
}

type Judged = Pick<DemoDelivery, 'event' | 'type' | 'test' | 'fault'>;

function judge(body: Buffer, signature: string, secret: string): Judged {
  try {
    const event = verifyWebhook(body, signature, secret);
    return { event: event.id, type: event.type, test: 'test' in event && event.test === true, fault: null };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    // Nothing is shown of a body whose origin is not verified.
    return { event: null, type: null, test: false, fault: error.code };
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error('the body is longer than any event');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
