import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import type { Operations } from '../http/operation.js';
import { createLinks } from './bulk.js';

export interface BulkDependencies {
  readonly form: LinkUrlForm;
}

/** Separate from the other operations on links, because a thread that works on large calls needs only this one. */
export function bulkOperations(dependencies: BulkDependencies): Pick<Operations, 'createLinks'> {
  return {
    createLinks: {
      async handle(call, database) {
        const { links: items, dry_run: dryRun = false } = call.body;
        const { environment, keyName: createdBy } = call.caller;
        const { requestId, nowMs } = call;
        const given = { items, environment, createdBy, requestId, nowMs, dryRun, form: dependencies.form };
        const { result, feed } = await createLinks(given, database);
        return { body: result, committed: dryRun ? {} : { feed } };
      },
    },
  };
}
