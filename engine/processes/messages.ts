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
  /** The child serves. `port` is 0 for a child that listens on none. */
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

/** Environment variables by which a child gets its role and the parameters of its communication. */
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

/**
 * `NODE_OPTIONS` of a redirect process; options that the operator has set override them. No object of a visit outlives the
 * visit, so V8 gains nothing from a large young generation. By default V8 makes one of three times 16 MB after hours, when it
 * happens to find many live objects. Between 1 and 64 MB, no difference in CPU time per request could be measured.
 */
export function redirectNodeOptions(operators = ''): string {
  return `--max-semi-space-size=4 ${operators}`.trim();
}

/**
 * The environment of `background`; variables that the operator has set override it. All of its threads share one heap of the C
 * library: by default glibc gives each thread its own, and half of their memory was free
 * (shared/decisions/2026-11-21-process-memory.md). It must be set before the process has threads.
 */
export function backgroundEnvironment(operators: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { MALLOC_ARENA_MAX: '1', ...operators };
}
