import type { PartHealth } from '../../shared/base/part-health.js';
import type { EngineHealth } from './health.js';

/**
 * What the processes of one engine say to each other: the supervisor and its children over the IPC channel, redirect
 * processes and `background` over a socket (preview/messages.ts). Raise the version with every change of a message's
 * meaning: processes of different versions do not speak to each other.
 */
export const MESSAGES_VERSION = 1;

/** Whether a host is served here; `uncertain` while the table may lack some. */
export type HostAnswer = 'known' | 'unknown' | 'uncertain';

export type ChildMessage =
  /** The child serves. `port` is 0 for a child that listens on none. */
  | { readonly type: 'ready'; readonly port: number }
  /** Sent every second; a child that is silent for 10 s is killed. `metrics` is prom-client's JSON. */
  | { readonly type: 'alive'; readonly health: readonly PartHealth[]; readonly metrics: unknown }
  | { readonly type: 'host_answer'; readonly question: number; readonly answer: HostAnswer };

export type SupervisorMessage =
  /**
   * Finish what is under way and exit; the supervisor kills what is left after the drain deadline. `whole`: every process of
   * the engine is told so, and none comes after.
   */
  | { readonly type: 'drain'; readonly whole: boolean }
  /** What `/health/ready` of the admin port says, to the process that keeps the engine's row. */
  | { readonly type: 'health'; readonly health: EngineHealth }
  /** To redirect processes alone. */
  | { readonly type: 'host_question'; readonly question: number; readonly host: string };

/** What `engine/main` says to a program that forked it. */
export interface EngineReady {
  readonly type: 'ready';
  readonly port: number;
  /** 0 if no certificates are set. */
  readonly tls_port: number;
  readonly admin_port: number;
}

/** A child learns its role, and how it is spoken to, from its environment. */
export const CHILD_ENVIRONMENT = {
  /** Number of the redirect process, from 0. */
  slot: 'REDIRECT_SLOT',
  /** `MESSAGES_VERSION` of the supervisor. */
  messagesVersion: 'ENGINE_MESSAGES_VERSION',
  /** What addresses of clicks are encrypted with (spool/address-cipher.ts), in base64. */
  addressKey: 'SPOOL_ADDRESS_KEY',
} as const;

/**
 * Whether the supervisor speaks this release's messages. It does not where the files of another release were put in place
 * of those it was started from. The first version was not told.
 */
export function supervisorSpeaksOurVersion(environment: NodeJS.ProcessEnv): boolean {
  return Number(environment[CHILD_ENVIRONMENT.messagesVersion] ?? 1) === MESSAGES_VERSION;
}

/**
 * `NODE_OPTIONS` of a redirect process, under those that the operator has set. Nothing of a visit outlives it, so that V8
 * gains nothing by a large young generation; left to itself it makes one of three times 16 MB after hours, when it happens
 * to find much alive. Between 1 and 64 MB no difference in CPU time for a request could be measured.
 */
export function redirectNodeOptions(operators = ''): string {
  return `--max-semi-space-size=4 ${operators}`.trim();
}

/**
 * The environment of `background`, under what the operator has set. All of its threads share one heap of the C library: by
 * itself glibc gives each thread its own, and half of what those held was free
 * (shared/decisions/2026-11-21-process-memory.md). It has to be set before the process has threads.
 */
export function backgroundEnvironment(operators: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { MALLOC_ARENA_MAX: '1', ...operators };
}
