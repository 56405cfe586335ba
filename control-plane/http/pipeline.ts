import type { Clock } from '../../shared/base/clock.js';
import { invariant } from '../../shared/base/invariant.js';
import { isObject, pointerTo } from '../../shared/base/issue.js';
import { bodyWithoutNulls } from '../../shared/contract/routes/null-members.js';
import { BASE_PATH, honoursIdempotencyKey, honoursIfMatch, type Route, takesIdempotencyKey } from '../../shared/contract/routes/route.js';
import { type OperationId, routeOf } from '../../shared/contract/routes.js';
import { type FieldError, PROBLEMS } from '../../shared/contract/schemas/problem-codes.js';
import type { SecretKeys } from '../../shared/secrets/seal.js';
import type { Database, Queryable } from '../db/database.js';
import type { Caller } from './authenticate.js';
import type { ConnectionShares } from './connection-shares.js';
import { entityTag, type Precondition, preconditionFailed, readIfMatch } from './entity-tag.js';
import { answerOnce, type RememberedReply, type Reply, readIdempotencyKey, requestFingerprints } from './idempotency.js';
import type { Answer, Call, Committed, Effect, EventStreamBody, FileBody, FileStream, Operation, UncheckedCall } from './operation.js';
import { withoutOversized } from './oversized.js';
import { fieldError, problemBody, type Refusal, refuseFields, refuseUnavailable } from './problems.js';
import { coerceQuery, compileValidator, FIELD_ERRORS_MAX, type Validator } from './validate.js';

/** A request whose key is known, without its body. */
export interface ReceivedRequest {
  readonly id: string;
  readonly caller: Caller;
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | readonly string[] | undefined;
  readonly ifMatch: string | undefined;
  readonly lastEventId: string | null;
  readonly clientAddress: string;
}

export interface ParsedRequest extends ReceivedRequest {
  /** Undefined if none was sent. */
  readonly body: unknown;
  readonly rawBody: Uint8Array | null;
  /** Returns a signal that is aborted when the client has closed the connection; undefined if that cannot be known. */
  readonly gone?: (() => AbortSignal) | undefined;
}

export interface PipelineDependencies {
  readonly database: ConnectionShares;
  /** The job queue's connections; null if the server runs without them. */
  readonly queue: ConnectionShares | null;
  readonly secretKeys: SecretKeys;
  readonly clock: Clock;
  /** Tells everybody who waits for it what was committed. The response is sent when it has resolved. */
  readonly announce: (committed: Committed) => Promise<void>;
}

/** Calls without a key use the connections of one environment. */
const KEYLESS = 'keyless';

export type Pipeline = (request: ParsedRequest) => Promise<Reply>;

/** Makes the function that turns a parsed request into its response: validation, idempotency, the operation. It throws refusals. */
export function createPipeline<Id extends OperationId>(id: Id, operation: Operation<Id>, dependencies: PipelineDependencies): Pipeline {
  const route = routeOf(id);
  const validate = createCallValidator(route, operation);
  const checkWaits = 'plan' in operation || operation.checkWaits === true;

  return async (request) => {
    const holder = route.key === 'none' ? KEYLESS : request.caller.environment.id;
    const database = connectionsOf(route, dependencies).of(holder);
    const body = bodyWithoutNulls(route, request.body);
    const call = uncheckedCall(route, { ...request, body }, dependencies.clock());
    const { precondition, idempotencyKey, errors } = readHeaders(route, request);
    const match = matchOf(precondition);
    // A response that is replayed was possibly never sent, because its call ended before link hosts acted by the change.
    let committed: Committed = { feed: 'followed' };
    let planned: Effect<Id> | undefined;
    const check = async (): Promise<void> => {
      const refusal = await validate(call, { body, headerErrors: errors, database: dependencies.database.of(holder) });
      if (refusal !== null) throw refusal;
      // The schema has passed, and `Call` is the static type of that same schema.
      planned = await plan(operation, { ...call, requireMatch: match.require } as unknown as Call<Id>, database);
    };
    const effect = async (connection: Database): Promise<RememberedReply> => {
      invariant(planned !== undefined, 'an effect follows its check');
      const answer = await planned(connection);
      invariant(match.asked(), 'a change asks whether the object is in the state that it is meant for');
      committed = answer.committed ?? {};
      return { ...replyOf(route, answer), installId: answer.installId ?? installOf(call) };
    };
    let reply: Reply;
    if (idempotencyKey !== null && honoursIdempotencyKey(route)) {
      const fingerprints = requestFingerprints(request.method, request.url, request.rawBody, request.body);
      const { keyId } = request.caller;
      const once = { keyId, idempotencyKey, requestId: request.id, fingerprints };
      reply = await answerOnce(database, dependencies.secretKeys, once, { check, checkWaits, effect });
    } else {
      await check();
      reply = await effect(database);
    }
    await dependencies.announce(committed);
    return reply;
  };
}

/** The installation that the body names. */
function installOf({ body }: UncheckedCall): string | null {
  return typeof body.install_id === 'string' ? body.install_id : null;
}

interface RequestHeaders {
  /** Null if none was sent, or it is malformed. */
  readonly precondition: Precondition | null;
  /** Null if none was sent, or it is malformed. */
  readonly idempotencyKey: string | null;
  readonly errors: readonly FieldError[];
}

/** Reads the headers that the operation takes. Their errors are reported together with those of the query and the body. */
function readHeaders(route: Route, request: ParsedRequest): RequestHeaders {
  const ifMatch = request.ifMatch === undefined || !honoursIfMatch(route) ? null : readIfMatch(request.ifMatch);
  const key = request.idempotencyKey === undefined || !takesIdempotencyKey(route) ? null : readIdempotencyKey(request.idempotencyKey);
  return {
    precondition: typeof ifMatch === 'function' ? ifMatch : null,
    idempotencyKey: typeof key === 'string' ? key : null,
    errors: [ifMatch, key].filter((read) => typeof read === 'object' && read !== null),
  };
}

interface Match {
  readonly require: (state: object | null) => void;
  /** Whether the operation has checked the precondition, or there is none. */
  readonly asked: () => boolean;
}

function matchOf(precondition: Precondition | null): Match {
  let asked = precondition === null;
  return {
    require(state) {
      asked = true;
      if (precondition !== null && !precondition(state)) throw preconditionFailed();
    },
    asked: () => asked,
  };
}

async function plan<Id extends OperationId>(operation: Operation<Id>, call: Call<Id>, database: Queryable): Promise<Effect<Id>> {
  return 'plan' in operation ? operation.plan(call, database) : (connection) => operation.handle(call, connection);
}

function connectionsOf(route: Route, { database, queue }: PipelineDependencies): ConnectionShares {
  if (route.connection !== 'queue') return database;
  if (queue === null) throw refuseUnavailable('The server has no job queue connection.');
  return queue;
}

function uncheckedCall(route: Route, request: ParsedRequest, nowMs: number): UncheckedCall {
  const { caller, params, query, body, clientAddress, lastEventId, gone } = request;
  return {
    caller,
    params,
    query: route.query === undefined ? query : coerceQuery(route.query, query),
    body: isObject(body) ? body : {},
    requestId: request.id,
    clientAddress,
    lastEventId,
    gone,
    nowMs,
  };
}

interface Validated {
  readonly body: unknown;
  readonly headerErrors: readonly FieldError[];
  readonly database: Database;
}

type CallValidator = (call: UncheckedCall, validated: Validated) => Promise<Refusal | null>;

/** Reports every offending field of every part in one refusal. Leaves out errors of rules for fields that the schema has refused. */
function createCallValidator<Id extends OperationId>(route: Route, operation: Operation<Id>): CallValidator {
  const query: Validator = route.query === undefined ? noFields : compileValidator(route.query, 'query');
  const validateBody: Validator = route.body === undefined ? noBody : compileValidator(route.body, 'body');
  return async (call, { body, headerErrors, database }) => {
    const errors = [...headerErrors, ...query(call.query), ...(body === undefined ? missingBody(route) : validateBody(body))];
    // With so many errors it is not known what else is too long to be checked.
    if (operation.check !== undefined && errors.length < FIELD_ERRORS_MAX) {
      const known = new Set(errors.map((error) => error.in + error.pointer));
      const found = await operation.check({ ...call, body: withoutOversized(call.body, errors) }, database, errors.length > 0);
      for (const error of found) if (!known.has(error.in + error.pointer)) errors.push(error);
    }
    return errors.length === 0 ? null : refuseFields(errors);
  };
}

function missingBody(route: Route) {
  return route.body === undefined || route.bodyOptional ? [] : [fieldError('body', '', 'required', 'a JSON body is required')];
}

/** Operations without query fields accept none. */
const noFields: Validator = (query) =>
  Object.keys(query as object).map((name) => fieldError('query', pointerTo('', name), 'unknown_field', 'is not a known field'));

/** Operations without a body accept none, or the empty object that many clients send instead. */
const noBody: Validator = (body) => {
  if (!isObject(body)) return [fieldError('body', '', 'wrong_type', 'must be an object')];
  return Object.keys(body).map((name) => fieldError('body', pointerTo('', name), 'unknown_field', 'is not a known field'));
};

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };
const NO_HEADERS = {};

/** `x-accel-buffering` is for nginx, which would otherwise collect events until they fill a buffer. */
const EVENT_STREAM_HEADERS = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };

function replyOf(route: Route, answer: Answer<unknown>): Reply {
  const { status, schema, files, events, cacheControl, etag } = route.response;
  const caching = cacheControl === undefined ? NO_HEADERS : { 'cache-control': cacheControl };
  if (files !== undefined) {
    const file = answer.body as FileBody | FileStream;
    return { status, headers: { 'content-type': file.type, ...caching }, body: 'stream' in file ? file.stream : file.bytes };
  }
  if (events !== undefined) return { status, headers: EVENT_STREAM_HEADERS, body: '', stream: (answer.body as EventStreamBody).open };
  if (schema === undefined) return { status, headers: NO_HEADERS, body: '' };
  const headers = answer.location === undefined ? JSON_HEADERS : { ...JSON_HEADERS, location: `${BASE_PATH}${answer.location}` };
  const tag = etag === true ? { etag: entityTag(answer.state ?? (answer.body as object)) } : NO_HEADERS;
  return { status, headers: { ...headers, ...caching, ...tag }, body: JSON.stringify(answer.body) };
}

export function refusalReply(refusal: Refusal, requestId: string): Reply {
  return {
    status: PROBLEMS[refusal.code].status,
    headers: { 'content-type': 'application/problem+json', ...refusal.headers },
    body: JSON.stringify(problemBody(refusal, requestId)),
  };
}
