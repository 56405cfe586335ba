import type { OutboundUrlCheck } from '../shared/net/public-host.js';
import type { SecretKeys } from '../shared/secrets/seal.js';
import { createCursors } from './http/cursor.js';
import type { Operations } from './http/operation.js';
import { linkOperations } from './links/handlers.js';
import type { LinkUrlForm } from './links/link-row.js';
import { statsOperations } from './stats/handlers.js';
import { webhookOperations } from './webhooks/handlers.js';

export interface OperationDependencies {
  readonly secretKeys: SecretKeys;
  readonly linkUrlForm: LinkUrlForm;
  readonly outbound: OutboundUrlCheck;
  /** Says that feed rows were committed: the assigner's `poke`. */
  readonly feedChanged: () => void;
}

/** Every operation of the route table. */
export function createOperations(dependencies: OperationDependencies): Operations {
  const { secretKeys, linkUrlForm: form, outbound, feedChanged } = dependencies;
  const cursors = createCursors(secretKeys);
  return {
    ...linkOperations({ form, cursors, feedChanged }),
    ...statsOperations(),
    ...webhookOperations({ cursors, secretKeys, outbound }),
  };
}
