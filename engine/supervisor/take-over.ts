import { DRAIN_DEADLINE_MS } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import { isAlive, type ProcessIdentity, signalProcess } from '../../shared/base/process-identity.js';
import type { ProcessStatus } from '../processes/health.js';

export interface TakeOverInput {
  /** The supervisor of the engine that has served until now. */
  readonly predecessor: ProcessIdentity;
  readonly background: string;
  readonly redirects: readonly string[];
  /** Whether the redirect processes of both engines can listen at the same time. */
  readonly sharesPort: boolean;
  start(name: string): void;
  status(): readonly ProcessStatus[];
  /** Whether this engine was told to stop, which ends the attempt. */
  stopping(): boolean;
  readonly log: Logger;
  sleep(milliseconds: number): Promise<void>;
}

const POLL_MS = 100;
const REMIND_MS = 30_000;
/** The predecessor kills its own processes at the drain's deadline, and ends right after them. */
const PREDECESSOR_END_MS = DRAIN_DEADLINE_MS + 5_000;

/**
 * Puts this engine in the place of the one that runs on the same DATA_DIR, without a moment in which nobody serves:
 *
 * 1. `background` starts, and is ready when there is a copy of the configuration that this release can read. Until then, and
 *    for as long as PostgreSQL is away, the predecessor goes on serving.
 * 2. The redirect processes start beside those of the predecessor, on the same port.
 * 3. The predecessor is asked to drain, and ends.
 *
 * If the port cannot be shared, the redirect processes start only after the predecessor has ended. If the predecessor ends before
 * it is asked to, the waits of steps 1 and 2 end too. Resolves to false if this engine was told to stop before the predecessor
 * was; nothing has changed then.
 */
export async function takeOver(input: TakeOverInput): Promise<boolean> {
  const { predecessor, background, redirects, sharesPort, log } = input;
  log.info({ code: 'engine_replaces_another', pid: predecessor.pid }, 'another engine runs here and will be replaced');
  input.start(background);
  await untilServing(input, [background]);
  if (input.stopping()) return false;
  if (sharesPort) {
    for (const name of redirects) input.start(name);
    await untilServing(input, redirects);
    if (input.stopping()) return false;
  }
  await endPredecessor(input);
  if (!sharesPort) for (const name of redirects) input.start(name);
  log.info({ code: 'predecessor_ended', pid: predecessor.pid }, 'the other engine has ended');
  return true;
}

async function untilServing(input: TakeOverInput, names: readonly string[]): Promise<void> {
  const waiting = () => input.status().filter(({ name, mode }) => names.includes(name) && mode !== 'serving');
  for (let waited = 0; waiting().length > 0 && isAlive(input.predecessor) && !input.stopping(); waited += POLL_MS) {
    if (waited > 0 && waited % REMIND_MS === 0)
      input.log.warn({ code: 'predecessor_serving_on', waiting: waiting().map(reasonOf) }, 'the other engine keeps running');
    await input.sleep(POLL_MS);
  }
}

function reasonOf({ name, mode, parts }: ProcessStatus): string {
  return [`${name} is ${mode}`, ...parts.filter(({ ok }) => !ok).map(({ part, reason }) => `${part}: ${reason}`)].join('; ');
}

async function endPredecessor({ predecessor, log, sleep }: TakeOverInput): Promise<void> {
  signalProcess(predecessor, 'SIGTERM');
  for (let waited = 0; isAlive(predecessor); waited += POLL_MS) {
    if (waited === PREDECESSOR_END_MS && signalProcess(predecessor, 'SIGKILL'))
      log.error({ code: 'predecessor_killed', pid: predecessor.pid }, 'the other engine did not stop and was killed');
    await sleep(POLL_MS);
  }
}
