import type { TObject, TSchema } from 'typebox';
import type { ProblemCode } from '../schemas/problem-codes.js';
import type { Scope } from '../schemas/scopes.js';

/** Version prefix of every path. */
export const BASE_PATH = '/v1';

/** One endpoint as data: the server, the OpenAPI document, the clients and the tests read this and nothing else. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `BASE_PATH`, parameters as `{name}`. */
  readonly path: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  /** What the schemas cannot say. Markdown. */
  readonly description?: string;
  /** Kind of key that the operation takes if it is not a secret one; `none` is open to everybody. */
  readonly key?: 'publishable' | 'none';
  /** The key needs any one of them. Empty only for publishable keys and for `none`. */
  readonly scopes: readonly Scope[];
  /** A further scope that the key needs. */
  readonly alsoScope?: Scope;
  readonly params?: TObject;
  readonly query?: TObject;
  /** Absent if the operation takes no body. */
  readonly body?: TObject;
  /** The operation may be called without a body, which counts as a body without members. */
  readonly bodyOptional?: true;
  readonly bodyBytesMax?: number;
  /**
   * A list in the body whose items the operation judges one by one, so that a wrong one does not fail the others. The
   * body's schema accepts anything as an item, and the document shows this schema.
   */
  readonly items?: { readonly member: string; readonly schema: TObject };
  /** Bodies by name, shown in the document; each one is valid, which a test checks. */
  readonly examples?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The connection over which its effect is written. With `queue`, the answer is 503 if the server has no job queue. */
  readonly connection?: 'queue';
  readonly response: {
    readonly status: number;
    readonly description: string;
    /** Absent if the answer has no body, or is a file or a stream. */
    readonly schema?: TSchema;
    /** The answer is a stream of server-sent events, which continues until either side ends it. Markdown that describes its events. */
    readonly events?: string;
    /** Media types of an answer that is not JSON. */
    readonly files?: readonly string[];
    /** `Cache-Control` of the answer; by default nobody may store it. */
    readonly cacheControl?: string;
    /** Set if an answer 201 does not name the object's path in `Location`, because the object cannot be read. */
    readonly location?: false;
    /** The answer is an object that can be read and changed, and has an `ETag`. */
    readonly etag?: true;
  };
  /** Set for an operation on something that cannot be read, and so has no `ETag`: it ignores `If-Match`. */
  readonly ifMatch?: false;
  /** Problems beyond those that `problemsOf` derives from the other columns. */
  readonly problems?: readonly ProblemCode[];
}

/** A row as the files in this folder contain it. All rows of one file have one tag, which the table adds. */
export type UntaggedRoute = Omit<Route, 'tag'>;

/** Whether `Idempotency-Key` may be sent: to every POST that takes an API key. It has to be a UUID. */
export function takesIdempotencyKey(route: Route): boolean {
  return route.method === 'POST' && route.key !== 'none';
}

/**
 * Whether the answer is given again for the same `Idempotency-Key`. This holds for all of these operations except those
 * whose answer is a file, which have no effect to repeat.
 */
export function honoursIdempotencyKey(route: Route): boolean {
  return takesIdempotencyKey(route) && route.response.files === undefined;
}

/** Whether `If-Match` is honoured: by every change of an object that has an `ETag`. */
export function honoursIfMatch(route: Route): boolean {
  return route.ifMatch !== false && (route.method === 'PATCH' || route.method === 'PUT' || route.method === 'DELETE');
}

/** Every problem that the operation can answer, derived from its columns. */
export function problemsOf(route: Route): readonly ProblemCode[] {
  // Every operation refuses query parameters and bodies that it does not have. Its path refuses other methods.
  const codes = new Set<ProblemCode>(['bad_request', 'method_not_allowed', 'validation_failed', 'internal_error', 'service_unavailable']);
  if (route.key !== 'none') for (const code of ['unauthorized', 'insufficient_scope', 'rate_limited'] as const) codes.add(code);
  if (route.params !== undefined) codes.add('not_found');
  if (route.method !== 'GET') for (const code of ['payload_too_large', 'unsupported_media_type'] as const) codes.add(code);
  if (honoursIdempotencyKey(route)) for (const code of ['conflict', 'idempotency_key_reused'] as const) codes.add(code);
  if (honoursIfMatch(route)) codes.add('precondition_failed');
  if (route.key === 'publishable') codes.add('origin_not_allowed');
  for (const code of route.problems ?? []) codes.add(code);
  return [...codes];
}
