import type { Link } from '../../shared/contract/schemas/link.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import type { Operations } from '../http/operation.js';
import { createLinks } from './bulk.js';

export interface BulkDependencies {
  readonly form: LinkUrlForm;
  /** Says that feed rows were committed. */
  readonly feedChanged: () => void;
  /** Says that feed rows were committed, and resolves when link hosts act by them, as far as they can be waited for. */
  readonly changeFollowed: () => Promise<void>;
}

/**
 * What follows the creation of links. A new path is looked up for its first visitor. An alias may lie below a template, or hide what was
 * found there before, so that link hosts are waited for.
 */
export function afterCreation({ feedChanged, changeFollowed }: BulkDependencies, links: readonly Pick<Link, 'aliases'>[]) {
  return links.some(({ aliases }) => aliases.length > 0) ? changeFollowed : feedChanged;
}

/** Apart from the other operations on links, because a thread that works on large calls has this one alone. */
export function bulkOperations(dependencies: BulkDependencies): Pick<Operations, 'createLinks'> {
  return {
    createLinks: {
      async handle(call, database) {
        const body = await createLinks(call, database, dependencies.form);
        if (call.body.dry_run === true) return { body };
        const made = body.results.flatMap((result) => ('link' in result ? result.link : []));
        return { body, afterCommit: afterCreation(dependencies, made) };
      },
    },
  };
}
