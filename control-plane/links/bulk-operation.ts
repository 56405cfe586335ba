import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import type { Operations } from '../http/operation.js';
import { createLinks } from './bulk.js';
import type { AliasesFed } from './give-aliases.js';

export interface BulkDependencies {
  readonly form: LinkUrlForm;
  /** Says that feed rows were committed. */
  readonly feedChanged: () => void;
  /** Resolves when the engines have followed the feed up to the row, as far as they can be waited for. */
  readonly enginesFollowed: (feedId: number) => Promise<void>;
}

/** Says that feed rows were committed, and resolves when visitors find the aliases among them. */
export async function aliasesFound({ feedChanged, enginesFollowed }: BulkDependencies, fed: AliasesFed): Promise<void> {
  feedChanged();
  if (fed !== null) await enginesFollowed(fed);
}

/** Apart from the other operations on links, because a thread that works on large calls has this one alone. */
export function bulkOperations(dependencies: BulkDependencies): Pick<Operations, 'createLinks'> {
  return {
    createLinks: {
      async handle(call, database) {
        const { result, aliasesFed } = await createLinks(call, database, dependencies.form);
        return call.body.dry_run === true ? { body: result } : { body: result, afterCommit: () => aliasesFound(dependencies, aliasesFed) };
      },
    },
  };
}
