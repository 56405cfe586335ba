import type { Clock } from '../../shared/base/clock.js';
import {
  LARGE_CALL_BYTES_MIN,
  LARGE_CALL_COUNTED_BYTES_MIN,
  LARGE_CALLS_AT_ONCE,
  LARGE_CALLS_BYTES_MAX,
  LARGE_CALLS_OF_KEY_BYTES_MAX,
} from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import type { OperationId } from '../../shared/contract/routes.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import type { SecretKeys } from '../../shared/secrets/seal.js';
import { Budget, tooMany } from '../http/budget.js';
import type { Reply } from '../http/idempotency.js';
import type { Committed } from '../http/operation.js';
import type { PipelineDependencies, ReceivedRequest } from '../http/pipeline.js';
import { TaskThread } from '../threads/task-thread.js';

const OPERATIONS = ['createLinks', 'importLinks'] as const;
export type LargeOperation = (typeof OPERATIONS)[number];

/** A call whose body is not parsed yet. */
export interface LargeCall {
  readonly operation: LargeOperation;
  readonly request: ReceivedRequest;
  readonly body: Uint8Array;
  readonly nowMs: number;
}

export interface LargeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly committed: Committed;
}

/** The settings of the thread. */
export interface LargeCallSettings {
  readonly databaseUrl: string;
  readonly secretKeys: SecretKeys;
  readonly linkUrlForm: LinkUrlForm;
}

export interface LargeCallOptions extends LargeCallSettings {
  readonly clock: Clock;
  readonly log: Logger;
  readonly announce: PipelineDependencies['announce'];
}

/**
 * Bulk calls with a large body. They would delay all other calls for most of a second. So a thread handles them, from the bytes of the
 * request body to the bytes of the response, with the same pipeline and with connections of its own.
 */
export class LargeCalls {
  readonly #thread: TaskThread<LargeCall, LargeAnswer>;
  readonly #budget = new Budget({
    refusals: tooMany('large calls are running'),
    max: LARGE_CALLS_BYTES_MAX,
    holderMax: LARGE_CALLS_OF_KEY_BYTES_MAX,
  });
  readonly #clock: Clock;
  readonly #announce: LargeCallOptions['announce'];

  constructor({ clock, log, announce, databaseUrl, secretKeys, linkUrlForm }: LargeCallOptions) {
    const settings: LargeCallSettings = { databaseUrl, secretKeys, linkUrlForm };
    this.#clock = clock;
    this.#announce = announce;
    this.#thread = new TaskThread({
      module: new URL('./large-call.worker.js', import.meta.url),
      settings,
      tasksMax: LARGE_CALLS_AT_ONCE,
      onMessage: (error) => log.warn({ code: 'database_connection_lost', err: error }, 'a database connection of large calls was lost'),
      onLost: (error) => log.error({ code: 'large_call_thread_ended', err: error }, 'the thread of large calls ended'),
    });
  }

  /** Whether a call with a body of this size is handled here. */
  takes(operation: OperationId | null, bodyBytes: number): operation is LargeOperation {
    return OPERATIONS.some((name) => name === operation) && bodyBytes > LARGE_CALL_BYTES_MIN;
  }

  /** Returns the response as the pipeline gives it. The body's buffer is transferred. Throws 429 or 503 if too many calls are waiting. */
  async run(operation: LargeOperation, request: ReceivedRequest, body: Uint8Array): Promise<Reply> {
    const call: LargeCall = { operation, request, body, nowMs: this.#clock() };
    const counted = Math.max(body.length, LARGE_CALL_COUNTED_BYTES_MIN);
    const answer = await this.#budget.with(request.caller.keyId, counted, () => this.#thread.run(call, [body.buffer as ArrayBuffer]));
    await this.#announce(answer.committed);
    const { buffer, byteOffset, byteLength } = answer.body;
    return { status: answer.status, headers: answer.headers, body: Buffer.from(buffer, byteOffset, byteLength) };
  }

  async stop(): Promise<void> {
    await this.#thread.stop();
  }
}
