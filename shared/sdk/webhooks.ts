import { ChangeableCollection, Group, segment } from './group.js';
import type { CallOptions, Transport } from './http.js';
import type * as api from './operations.js';
import type { Pages } from './pages.js';

/** Endpoints that receive events, and the log of what was sent to them. */

export class Deliveries extends Group {
  list(webhookId: string, query: api.QueryOf<'listDeliveries'> = {}, options?: CallOptions): Pages<api.Delivery> {
    return this.pages(`/webhooks/${segment(webhookId)}/deliveries`, query, options);
  }

  /** Sends the event of a finished delivery again, once. */
  replay(webhookId: string, deliveryId: string, options?: CallOptions): Promise<api.Delivery> {
    const path = `/webhooks/${segment(webhookId)}/deliveries/${segment(deliveryId)}/replay`;
    return this.transport.send({ method: 'POST', path, options });
  }

  /**
   * Sends events again whose last attempt failed, from a time window, at most 1,000 of them: `nextFrom`, `nextTo` and
   * `nextCursor` say where to continue.
   */
  replayFailures(webhookId: string, window: api.BodyOf<'replayFailures'>, options?: CallOptions): Promise<api.AnswerOf<'replayFailures'>> {
    const path = `/webhooks/${segment(webhookId)}/deliveries/replay`;
    return this.transport.send({ method: 'POST', path, body: window, options });
  }
}

export class Webhooks extends ChangeableCollection<api.Webhook, 'listWebhooks', 'updateWebhook'> {
  protected readonly path = '/webhooks';

  readonly deliveries: Deliveries;

  constructor(transport: Transport) {
    super(transport);
    this.deliveries = new Deliveries(transport);
  }

  /** Only this answer contains the signing `secret`: store it. */
  create(webhook: api.BodyOf<'createWebhook'>, options?: CallOptions): Promise<api.WebhookWithSecret> {
    return this.transport.send({ method: 'POST', path: this.path, body: webhook, options });
  }

  /** Deletes it for good, with its delivery log. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.transport.send({ method: 'DELETE', path: this.pathOf(id), options });
  }

  /** The old secret signs in addition to the new one for 24 hours. */
  rotateSecret(id: string, options?: CallOptions): Promise<api.WebhookWithSecret> {
    return this.transport.send({ method: 'POST', path: `${this.pathOf(id)}/rotate-secret`, options });
  }

  /** Queues a sample event of the first subscribed type, or of `eventType`. */
  test(
    id: string,
    { eventType, ...options }: CallOptions & { readonly eventType?: api.Delivery['eventType'] } = {},
  ): Promise<api.Delivery> {
    const body = eventType === undefined ? {} : { eventType };
    return this.transport.send({ method: 'POST', path: `${this.pathOf(id)}/test`, body, options });
  }
}
