import type { Webhook } from '../../../../shared/contract/schemas/webhook.js';

/** The one word for an endpoint, wherever it is shown: `failing` while it is active and no delivery succeeds. */
export function endpointState({ status, failing_since: failing }: Pick<Webhook, 'status' | 'failing_since'>): string {
  return status === 'active' && failing !== null ? 'failing' : status;
}
