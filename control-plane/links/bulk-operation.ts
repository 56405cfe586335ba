import type { Operations } from '../http/operation.js';
import { createLinks } from './bulk.js';
import type { LinkUrlForm } from './link-row.js';

export interface BulkDependencies {
  readonly form: LinkUrlForm;
  /** Says that feed rows were committed. */
  readonly feedChanged: () => void;
}

/** Apart from the other operations on links, because a thread that works on large calls has this one alone. */
export function bulkOperations({ form, feedChanged }: BulkDependencies): Pick<Operations, 'createLinks'> {
  return {
    createLinks: {
      async handle(call, database) {
        const body = await createLinks(call, database, form);
        return call.body.dry_run === true ? { body } : { body, afterCommit: feedChanged };
      },
    },
  };
}
