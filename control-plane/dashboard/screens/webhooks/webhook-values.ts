import type { Webhook, WebhookCreate } from '../../../../shared/contract/schemas/webhook.js';
import type { FieldValues } from '../../forms/field-values.js';

/** Converts between an endpoint and the fields of its form. */
export function webhookValues(webhook: Webhook | null): FieldValues {
  return {
    '/url': webhook?.url ?? '',
    '/description': webhook?.description ?? '',
    '/events': webhook?.events ?? ['link.created', 'link.updated', 'link.disabled', 'link.blocked'],
  };
}

export function webhookBody(values: FieldValues): WebhookCreate {
  const description = String(values['/description']).trim();
  return {
    url: String(values['/url']).trim(),
    description: description === '' ? null : description,
    events: values['/events'] as WebhookCreate['events'],
  };
}
