import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '../../shared/base/backoff.js';
import { ApiUnavailableError } from './api-client.js';

const RETRY_BASE_MS = 500;
const RETRY_CAP_MS = 10_000;

export interface Follow {
  /** Reads what is new, and shows it. */
  readonly look: () => Promise<void>;
  readonly everyMs: number;
  readonly interrupted: AbortSignal;
  readonly writeError: (text: string) => void;
}

/**
 * Reads repeatedly until interrupted. If the server cannot be reached, reports that once, and waits until it can. A refusal by
 * the server ends the command.
 */
export async function follow({ look, everyMs, interrupted, writeError }: Follow): Promise<void> {
  let failures = 0;
  while (!interrupted.aborted) {
    let waitMs = everyMs;
    try {
      await look();
      if (failures > 0) writeError('linkd: the server is back\n');
      failures = 0;
    } catch (error) {
      if (interrupted.aborted) return;
      if (!(error instanceof ApiUnavailableError)) throw error;
      if (failures === 0) writeError(`linkd: ${error.message}; trying again\n`);
      waitMs = backoffMs(failures++, RETRY_BASE_MS, RETRY_CAP_MS);
    }
    await sleep(waitMs, undefined, { signal: interrupted }).catch(() => {});
  }
}
