import type { Link } from '../../shared/contract/schemas/link.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import type { Committed, Operations } from '../http/operation.js';
import { createLinks } from './bulk.js';

export interface BulkDependencies {
  readonly form: LinkUrlForm;
}

/**
 * Returns what the creation of links commits. A new path is looked up when its first visitor comes. An alias may lie below a template, or
 * hide what was found there before, so the call waits for the link hosts.
 */
export function afterCreation(links: readonly Pick<Link, 'aliases'>[]): Committed {
  return { feed: links.some(({ aliases }) => aliases.length > 0) ? 'followed' : 'changed' };
}

/** Separate from the other operations on links, because a thread that works on large calls needs only this one. */
export function bulkOperations(dependencies: BulkDependencies): Pick<Operations, 'createLinks'> {
  return {
    createLinks: {
      async handle(call, database) {
        const { links: items, dry_run: dryRun = false } = call.body;
        const { environment, keyName: createdBy } = call.caller;
        const { requestId, nowMs } = call;
        const body = await createLinks({ items, environment, createdBy, requestId, nowMs, dryRun, form: dependencies.form }, database);
        if (dryRun) return { body };
        const made = body.results.flatMap((result) => ('link' in result ? result.link : []));
        return { body, committed: afterCreation(made) };
      },
    },
  };
}
