import type { components } from './server-types.js';

export type Problem = components['schemas']['Problem'];
export type ProblemCode = Problem['code'];
/** One offending field. `pointer` is a JSON Pointer into the part of the request that `in` names, as the SDK was given it. */
export type FieldProblem = NonNullable<Problem['errors']>[number];

/** The base class of every error of the SDK. */
export abstract class LinkServiceError extends Error {}

/** The SDK was configured in a way that cannot work, or must not. Thrown before anything is sent. */
export class ConfigurationError extends LinkServiceError {
  override readonly name = 'ConfigurationError';
}

/** No answer: the server was not reached, or took too long. The call may have taken effect all the same. */
export class ConnectionError extends LinkServiceError {
  override readonly name: string = 'ConnectionError';
}

/** The server took longer than `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** The content of the server's refusal. */
export interface Refused {
  readonly status: number;
  readonly code: ProblemCode | 'unknown';
  readonly detail: string;
  readonly errors: readonly FieldProblem[];
  /** Identifies the request in the service's log; null if the answer did not come from the service. */
  readonly requestId: string | null;
  /** How long the server asks to wait, in milliseconds; null if it does not say. */
  readonly retryAfterMs: number | null;
}

/**
 * The server refused. `code` is stable, and says what to do about it. It is `unknown` if the answer is not one of the service,
 * also if its status is one of success.
 */
export class ApiError extends LinkServiceError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly code: Refused['code'];
  readonly errors: readonly FieldProblem[];
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;

  constructor({ status, code, detail, errors, requestId, retryAfterMs }: Refused) {
    super(errors.length === 0 ? detail : `${detail} ${errors.map((field) => `${field.pointer || field.in}: ${field.detail}`).join('; ')}`);
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** 401: no key, or one that is unknown or revoked. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** 403: the key lacks the scope. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
}

/** 404: there is no such object in the key's environment. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 409: something is taken, full or archived. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/** 412: the object is in a different state from the one that the call was meant for. Nothing was changed. */
export class PreconditionError extends ApiError {
  override readonly name = 'PreconditionError';
}

/** 422: `errors` names every offending field. */
export class ValidationError extends ApiError {
  override readonly name = 'ValidationError';
}

/** 429, after all retries. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}

/** 5xx, after all retries. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

const CLASSES: Readonly<Record<number, new (refused: Refused) => ApiError>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionError,
  422: ValidationError,
  429: RateLimitError,
};

export function apiError(refused: Refused): ApiError {
  const Class = refused.status >= 500 ? ServerError : (CLASSES[refused.status] ?? ApiError);
  return new Class(refused);
}
