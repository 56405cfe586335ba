import type { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import type { OperationId, Routes } from '../../shared/contract/routes.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import type { Database, Queryable } from '../db/database.js';
import type { Caller } from './authenticate.js';

/** Operations define what to do with one validated call. The pipeline does everything else. */

type Part<Operation extends OperationId, Name extends 'params' | 'query' | 'body', Otherwise> = Routes[Operation] extends {
  readonly [Key in Name]: infer Schema extends TSchema;
}
  ? Static<Schema>
  : Otherwise;

/** What a call is apart from who calls and what they send. */
interface CallCircumstances {
  /** Id of the request, as in `X-Request-Id`. */
  readonly requestId: string;
  /** Whom the call came from, as trusted proxies tell it. */
  readonly clientAddress: string;
  /** `Last-Event-ID`; null if it was not sent. */
  readonly lastEventId: string | null;
  /** Gives a signal that is aborted when the client has left; absent if that cannot be known. */
  readonly gone?: (() => AbortSignal) | undefined;
  /** When the call was taken up, milliseconds since the epoch. */
  readonly nowMs: number;
}

/** A call whose parts have all passed their schemas and the operation's own check. */
export interface Call<Operation extends OperationId> extends CallCircumstances {
  /** Null where the operation takes no key. */
  readonly caller: Routes[Operation] extends { readonly key: 'none' } ? null : Caller;
  readonly params: Part<Operation, 'params', Record<string, never>>;
  readonly query: Part<Operation, 'query', Record<string, never>>;
  readonly body: Part<Operation, 'body', undefined>;
  /**
   * Throws `precondition_failed` if `If-Match` names another state. To be called by every change of an object with its state (null if
   * there is none), as its ETag is made of, once it is locked and before anything is changed.
   */
  readonly requireMatch: (state: object | null) => void;
}

/** A call as it came. A check looks at fields of the right type and leaves the others to the schema. */
export interface UncheckedCall extends CallCircumstances {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An answer that is not JSON. */
export interface FileBody<Type extends string = string> {
  readonly type: Type;
  readonly bytes: Buffer;
}

/** An answer that goes on until either side ends it. */
export interface EventStreamBody {
  /** Begins it. May throw a refusal, as long as nothing was sent. */
  readonly open: () => Readable;
}

/** One that is sent as it comes. */
export interface FileStream<Type extends string = string> {
  readonly type: Type;
  readonly stream: Readable;
}

export type ResponseBody<Operation extends OperationId> = Routes[Operation]['response'] extends {
  readonly schema: infer Schema extends TSchema;
}
  ? Static<Schema>
  : Routes[Operation]['response'] extends { readonly files: readonly (infer Type extends string)[] }
    ? FileBody<Type> | FileStream<Type>
    : Routes[Operation]['response'] extends { readonly events: string }
      ? EventStreamBody
      : undefined;

export interface Answer<Body> {
  readonly body: Body;
  /** What the ETag is made of, if that is not the body. */
  readonly state?: object;
  /** Path of an object that was made. */
  readonly location?: string;
  /** Run once the transaction is committed, also where an idempotency key wrapped it. The answer waits for it. */
  readonly afterCommit?: () => void | Promise<void>;
}

export type Effect<Id extends OperationId> = (database: Database) => Promise<Answer<ResponseBody<Id>>>;

interface Checked {
  /**
   * Rules that no schema can say, all of them at once. May look things up; has no effect. It runs even where the schema
   * found errors, so that every offending field is reported together.
   */
  readonly check?: (call: UncheckedCall, database: Queryable) => readonly FieldError[] | Promise<readonly FieldError[]>;
  /** Whether the check may wait for another server. */
  readonly checkWaits?: boolean;
}

interface Handled<Id extends OperationId> extends Checked {
  /** The effect. Opens a transaction where it needs more than one statement. */
  readonly handle: (call: Call<Id>, database: Database) => Promise<Answer<ResponseBody<Id>>>;
}

interface Planned<Id extends OperationId> extends Checked {
  /**
   * For an effect that waits for another server first: what waits runs here, outside of any transaction, so that no
   * connection and no lock is held meanwhile. Has no effect of its own; it answers the function that has.
   */
  readonly plan: (call: Call<Id>, database: Queryable) => Promise<Effect<Id>>;
}

export type Operation<Id extends OperationId> = Handled<Id> | Planned<Id>;

/** Every row of the route table has its operation: a missing one does not compile. */
export type Operations = { readonly [Id in OperationId]: Operation<Id> };
