import { ClickHouseUnavailableError } from '../../shared/clickhouse/connection.js';
import type { Problem } from '../../shared/contract/schemas/problem.js';
import {
  type FieldCode,
  type FieldError,
  type FieldPlace,
  PROBLEMS,
  type ProblemCode,
} from '../../shared/contract/schemas/problem-codes.js';
import { DatabaseUnavailableError, isStatementTimeout } from '../db/database.js';
import { ThreadLostError } from './thread-lost-error.js';

/** The problem that a caller receives as the response. Handlers and rules throw it; `refusalReply` makes the response. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors: readonly FieldError[] | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, errors: readonly FieldError[] | null, headers: Readonly<Record<string, string>>) {
    super(detail);
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.headers = headers;
  }
}

/** `throw refuse('conflict', 'the path "spring" is taken')`. `detail` is one sentence for people and holds nothing secret. */
export function refuse(code: ProblemCode, detail: string, headers: Readonly<Record<string, string>> = {}): Refusal {
  return new Refusal(code, detail, null, headers);
}

/** `throw noSuch('link')`: a 404 for something that the caller's environment does not have. */
export function noSuch(noun: string): Refusal {
  return refuse('not_found', `There is no such ${noun} in this environment.`);
}

/** A 422 that names its fields. Its code is `url_blocked` if all of them have only that error. */
export function refuseFields(errors: readonly FieldError[]): Refusal {
  const code = errors.every((error) => error.code === 'url_blocked') ? 'url_blocked' : 'validation_failed';
  const detail = errors.length === 1 ? '1 field is wrong.' : `${errors.length} fields are wrong.`;
  return new Refusal(code, detail, errors, {});
}

/** A 409 about a field of the body whose value must be unique and is not. `detail` is the whole sentence. */
export function refuseTaken(pointer: string, detail: string): Refusal {
  return new Refusal('conflict', detail, [fieldError('body', pointer, 'taken', 'is taken')], {});
}

export function fieldError(place: FieldPlace, pointer: string, code: FieldCode, detail: string): FieldError {
  return { pointer, in: place, code, detail };
}

/** How many seconds a caller should wait before it retries a request that the server cannot answer now. */
const RETRY_LATER = { 'retry-after': '1' };

export function refuseUnavailable(detail: string): Refusal {
  return refuse('service_unavailable', detail, RETRY_LATER);
}

/** Fastify's own errors, by code (https://fastify.dev/docs/latest/Reference/Errors/). */
const FRAMEWORK_ERRORS: Readonly<Record<string, () => Refusal>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => refuse('unsupported_media_type', 'The body must be application/json.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => refuse('payload_too_large', 'The body is larger than this operation accepts.'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => refuse('bad_request', 'The body is not valid JSON.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => refuse('bad_request', 'The body is empty.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => refuse('bad_request', 'The length of the body does not match Content-Length.'),
  FST_ERR_BAD_URL: () => refuse('bad_request', 'The URL is malformed.'),
  FST_ERR_MAX_PARAM_LENGTH: () => refuse('not_found', 'There is no such route.'),
  FST_ERR_ASYNC_CONSTRAINT: () => refuse('bad_request', 'The request is malformed.'),
};

/** Converts an exception to a refusal. Null if it is a fault of the service, which is logged and answered with `internal_error`. */
export function asRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (isStatementTimeout(error)) return refuseUnavailable('The database did not respond in time.');
  if (error instanceof DatabaseUnavailableError) return refuseUnavailable('The database cannot be reached.');
  if (error instanceof ClickHouseUnavailableError)
    return refuseUnavailable('The click store cannot be reached, or did not respond in time.');
  if (error instanceof ThreadLostError) return refuseUnavailable('The part of the server that processed the request has stopped.');
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && Object.hasOwn(FRAMEWORK_ERRORS, code) ? (FRAMEWORK_ERRORS[code] as () => Refusal)() : null;
}

/** The cause is not revealed. */
export function internalError(): Refusal {
  return refuse('internal_error', 'The service failed. Its log has the details under the id in `instance`.');
}

/** The problem document (RFC 9457). */
export function problemBody(refusal: Refusal, requestId: string): Problem {
  const { status, title } = PROBLEMS[refusal.code];
  return {
    type: `urn:problem:${refusal.code}`,
    title,
    status,
    detail: refusal.detail,
    instance: `urn:request:${requestId}`,
    code: refusal.code,
    ...(refusal.errors === null ? {} : { errors: refusal.errors.map((error) => ({ ...error })) }),
  };
}
