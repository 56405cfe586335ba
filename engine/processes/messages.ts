import type { PartHealth } from '../../shared/base/part-health.js';
import type { EngineHealth } from './health.js';

/**
 * Messages between the processes of one engine: the supervisor and its children over the IPC channel, redirect processes and
 * `background` over a socket (preview/messages.ts). Raise the version with every change of a message's meaning: processes of
 * different versions do not communicate with each other.
 */
export const MESSAGES_VERSION = 1;

/** Whether a host is served here; `uncertain` while the table may be incomplete. */
export type HostAnswer = 'known' | 'unknown' | 'uncertain';

export type ChildMessage =
  /** The child serves. `port` is for benches and tests, which start a redirect process without a supervisor; 0 if it listens on none. */
  | { readonly type: 'ready'; readonly port: number }
  /** Sent every second. A child that is silent for 10 s is killed. `metrics` is prom-client's JSON. */
  | { readonly type: 'alive'; readonly health: readonly PartHealth[]; readonly metrics: unknown }
  | { readonly type: 'host_answer'; readonly question: number; readonly answer: HostAnswer };

export type SupervisorMessage =
  /**
   * Finish the work in progress and exit. The supervisor kills what is left after the drain deadline. `whole`: every process of
   * the engine receives this, and none is started afterwards.
   */
  | { readonly type: 'drain'; readonly whole: boolean }
  /** The contents of `/health/ready` of the admin port, for the process that keeps the engine's row. */
  | { readonly type: 'health'; readonly health: EngineHealth }
  /** Sent only to redirect processes. */
  | { readonly type: 'host_question'; readonly question: number; readonly host: string };

/** The message of `engine/main` to a program that forked it. */
export interface EngineReady {
  readonly type: 'ready';
  readonly port: number;
  /** 0 if no certificates are set. */
  readonly tls_port: number;
  readonly admin_port: number;
}

/** Environment variables by which a child learns which process it is, and how to communicate. */
export const CHILD_ENVIRONMENT = {
  /** Number of the redirect process, starting at 0. */
  slot: 'REDIRECT_SLOT',
  /** `MESSAGES_VERSION` of the supervisor. */
  messagesVersion: 'ENGINE_MESSAGES_VERSION',
  /** The key that encrypts the addresses of clicks (spool/address-cipher.ts), in base64. */
  addressKey: 'SPOOL_ADDRESS_KEY',
} as const;

/**
 * Whether the supervisor uses this release's messages. It does not if its files were replaced with those of another release
 * after it was started. A supervisor of the first version does not set the variable.
 */
export function supervisorSpeaksOurVersion(environment: NodeJS.ProcessEnv): boolean {
  return Number(environment[CHILD_ENVIRONMENT.messagesVersion] ?? 1) === MESSAGES_VERSION;
}
