import { DatabaseUnavailableError } from '../db/database.js';
import { asRefusal, Refusal } from '../http/problems.js';

/** How a task of a thread ended, as a message can carry it. An error that is sent as it is would lose its class and its own fields. */
export type Outcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | ({ readonly kind: 'refused' } & Pick<Refusal, 'code' | 'detail' | 'errors' | 'headers'>)
  | { readonly kind: 'database_unavailable'; readonly message: string; readonly cause: unknown }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Runs a task in its thread. Never rejects, so that any other error ends the thread. */
export async function outcomeOf<Result>(work: () => Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { kind: 'done', result: await work() };
  } catch (error) {
    // Before the refusals, because the log needs the cause of this one.
    if (error instanceof DatabaseUnavailableError) return { kind: 'database_unavailable', message: error.message, cause: error.cause };
    const refusal = asRefusal(error);
    if (refusal === null) return { kind: 'failed', error };
    const { code, detail, errors, headers } = refusal;
    return { kind: 'refused', code, detail, errors, headers };
  }
}

/** Returns the result in the thread that asked for it, or throws what the task threw. */
export function resultOf<Result>(outcome: Outcome<Result>): Result {
  switch (outcome.kind) {
    case 'done':
      return outcome.result;
    case 'refused':
      throw new Refusal(outcome.code, outcome.detail, outcome.errors, outcome.headers);
    case 'database_unavailable':
      throw new DatabaseUnavailableError(outcome.message, { cause: outcome.cause });
    case 'failed':
      throw outcome.error;
  }
}
