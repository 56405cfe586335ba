import type { EngineHealth } from './http/health.js';

/** What the supervisor and its children say to each other over the IPC channel. */

/** The part of a child's state that decides `/health/ready`. */
export interface PartHealth {
  readonly part: string;
  readonly ok: boolean;
  /** One sentence for the operator where `ok` is false. */
  readonly reason: string;
}

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
  /** 0 where no certificates are set. */
  readonly tls_port: number;
  readonly admin_port: number;
}

/** A child learns its role from its environment. */
export const CHILD_ENVIRONMENT = {
  /** Number of the redirect process, from 0. */
  slot: 'REDIRECT_SLOT',
} as const;

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
