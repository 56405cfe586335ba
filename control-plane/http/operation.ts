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

/** The properties of a call other than its caller and its content. */
interface CallCircumstances {
  /** Id of the request, as in `X-Request-Id`. */
  readonly requestId: string;
  /** The address of the client, according to the trusted proxies. */
  readonly clientAddress: string;
  /** `Last-Event-ID`; null if it was not sent. */
  readonly lastEventId: string | null;
  /** Returns a signal that is aborted when the client has closed the connection; undefined if that cannot be known. */
  readonly gone?: (() => AbortSignal) | undefined;
  /** When handling of the call began, in milliseconds since the epoch. */
  readonly nowMs: number;
}

/** A call whose parts have all passed their schemas and the operation's own check. */
export interface Call<Operation extends OperationId> extends CallCircumstances {
  /** Null if the operation takes no key. */
  readonly caller: Routes[Operation] extends { readonly key: 'none' } ? null : Caller;
  readonly params: Part<Operation, 'params', Record<string, never>>;
  readonly query: Part<Operation, 'query', Record<string, never>>;
  readonly body: Part<Operation, 'body', undefined>;
  /**
   * Throws `precondition_failed` if `If-Match` does not match the state. Every change of an object must call it with the object's state, of
   * which its ETag is made, or null if there is no object, after locking the object and before changing anything.
   */
  readonly requireMatch: (state: object | null) => void;
}

/** A call as it was received. A check looks only at fields of the right type, and leaves the others to the schema. */
export interface UncheckedCall extends CallCircumstances {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A response body that is not JSON. */
export interface FileBody<Type extends string = string> {
  readonly type: Type;
  readonly bytes: Buffer;
}

/** A response body that continues until either side ends it. */
export interface EventStreamBody {
  /** Begins the stream. May throw a refusal, because nothing has been sent yet. */
  readonly open: () => Readable;
}

/** A file that is sent while it is being made. */
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

/** What a call has committed, for those that act on it. */
export interface Committed {
  /** Feed rows. `followed` means that the response waits until link hosts act by them. */
  readonly feed?: 'changed' | 'followed';
  /** Webhook deliveries without a feed row. */
  readonly deliveries?: true;
  /** The environment whose settings were changed, so that what is cached about it with its keys is looked up again. */
  readonly environment?: string;
}

export interface Answer<Body> {
  readonly body: Body;
  /** The state of which the ETag is made, if it is not the body. */
  readonly state?: object;
  /** Path of an object that was created. */
  readonly location?: string;
  /** The installation whose data the body holds, if the request does not name it: a remembered response is erased with it. */
  readonly installId?: string;
  /** Announced after the transaction has committed, even if an idempotency key wrapped it. */
  readonly committed?: Committed;
}

export type Effect<Id extends OperationId> = (database: Database) => Promise<Answer<ResponseBody<Id>>>;

interface Checked {
  /**
   * Checks all rules that the schema cannot express. May look things up; has no effect. It runs even if the schema found errors, so
   * that all offending fields are reported together. `refused` says that it did: then the handler, which may find errors too, does not run.
   */
  readonly check?: (call: UncheckedCall, database: Queryable, refused: boolean) => readonly FieldError[] | Promise<readonly FieldError[]>;
  /** Whether the check may wait for another server. */
  readonly checkWaits?: boolean;
}

interface Handled<Id extends OperationId> extends Checked {
  /** The effect. Opens a transaction if it needs more than one statement. */
  readonly handle: (call: Call<Id>, database: Database) => Promise<Answer<ResponseBody<Id>>>;
}

interface Planned<Id extends OperationId> extends Checked {
  /**
   * For an effect that first has to wait for another server. The waiting is done here, outside any transaction, so that no connection
   * and no lock is held meanwhile. Has no effect itself; returns the function that has it.
   */
  readonly plan: (call: Call<Id>, database: Queryable) => Promise<Effect<Id>>;
}

export type Operation<Id extends OperationId> = Handled<Id> | Planned<Id>;

/** Every row of the route table must have an operation; if one is missing, the code does not compile. */
export type Operations = { readonly [Id in OperationId]: Operation<Id> };
