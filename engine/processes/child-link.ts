import type { PartHealth } from '../../shared/base/part-health.js';
import type { EngineHealth } from './health.js';
import { type ChildMessage, type HostAnswer, type SupervisorMessage, supervisorSpeaksOurVersion } from './messages.js';

/** About half a dozen can be late before the supervisor shows the process as silent, ten before it kills it. */
const ALIVE_INTERVAL_MS = 1_000;

export interface ChildLinkInput {
  /** A failure of this or of the metrics is reported as a failing part, and does not stop the alive messages. */
  health(): readonly PartHealth[];
  /** prom-client's JSON. */
  metrics(): Promise<unknown>;
  /**
   * Finishes the work in progress. Called once; the process exits when the promise resolves. `whole` says whether the other
   * processes of the engine drain too, which is assumed unless the supervisor says otherwise.
   */
  drain(why: string, whole: boolean): Promise<void>;
  /** Absent if the process knows no hosts; then it is never asked. */
  knowsHost?(host: string): HostAnswer;
  /** Called with the health of all processes of the engine. Absent if the process does not use it. */
  onHealth?(health: EngineHealth): void;
}

export interface ChildLink {
  /** Reports that the child serves on this port; 0 if it listens on none. */
  ready(port: number): void;
}

/**
 * A child's end of the channel to its supervisor. It sends `alive` every second, and drains once, whatever asks for it first:
 * the supervisor, SIGTERM, or the loss of the channel, which means that the supervisor was killed. SIGINT is left to the
 * supervisor, because Ctrl-C reaches the whole process group at once. SIGHUP asks the supervisor for a rolling restart.
 */
export function connectToSupervisor({ health, metrics, drain, knowsHost, onHealth }: ChildLinkInput): ChildLink {
  if (!supervisorSpeaksOurVersion(process.env)) {
    console.error('the supervisor is of another release; start this release with --take-over');
    process.exit(1);
  }
  let draining = false;
  const drainOnce = (why: string, whole = true) => {
    if (draining) return;
    draining = true;
    // A drain that fails is our own fault. The rejection is not caught, and ends the process like any other.
    void drain(why, whole).then(() => process.exit(process.exitCode ?? 0));
  };
  const send = (message: ChildMessage) => {
    // The callback receives the error of a channel that breaks meanwhile. Its loss raises an event of its own.
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  };
  const parts = (): readonly PartHealth[] => {
    try {
      return health();
    } catch (error) {
      return [{ part: 'health', ok: false, reason: String(error) }];
    }
  };
  const sendAlive = async () => {
    const told = parts();
    try {
      send({ type: 'alive', health: told, metrics: await metrics() });
    } catch (error) {
      send({ type: 'alive', health: [...told, { part: 'metrics', ok: false, reason: String(error) }], metrics: [] });
    }
  };
  process.on('message', (message: SupervisorMessage) => {
    if (message.type === 'drain') drainOnce('the supervisor asked for it', message.whole);
    else if (message.type === 'health') onHealth?.(message.health);
    else if (knowsHost !== undefined) send({ type: 'host_answer', question: message.question, answer: knowsHost(message.host) });
  });
  process.on('disconnect', () => drainOnce('the supervisor is gone'));
  // The supervisor was killed while this process was loading its modules, and the event has passed. Whatever is started next is
  // drained like anything else.
  if (process.connected === false) setImmediate(drainOnce, 'the supervisor is gone');
  process.on('SIGTERM', () => drainOnce('SIGTERM'));
  process.on('SIGINT', () => {});
  process.on('SIGHUP', () => {});
  void sendAlive();
  setInterval(sendAlive, ALIVE_INTERVAL_MS);
  return { ready: (port) => send({ type: 'ready', port }) };
}
