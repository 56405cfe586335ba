import { ISSUE_CODES } from '../../base/issue.js';

/**
 * The catalogue of errors. Codes are a public contract: the server returns no others, the OpenAPI document lists each of them,
 * and a test compares the two.
 */
export interface ProblemKind {
  readonly status: number;
  /** Short and the same for every occurrence (RFC 9457, section 3.1.3). */
  readonly title: string;
  readonly description: string;
}

export const PROBLEMS = {
  bad_request: { status: 400, title: 'Bad request', description: 'The body is not JSON, or the HTTP message is malformed.' },
  unauthorized: { status: 401, title: 'Unauthorized', description: 'The key is missing, malformed, unknown or revoked.' },
  password_required: {
    status: 401,
    title: 'Password required',
    description: 'The shared view has a password, and the request had none or a wrong one.',
  },
  insufficient_scope: { status: 403, title: 'Insufficient scope', description: 'The key lacks the scope, or is of the wrong kind.' },
  origin_not_allowed: {
    status: 403,
    title: 'Origin not allowed',
    description: 'A browser request from an origin that is not a web origin of the environment.',
  },
  not_found: { status: 404, title: 'Not found', description: 'No such route, or no such object in this environment.' },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    description: 'The path does not support this method; `Allow` lists the methods that it supports.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    description:
      'A path or key is taken, a pattern overlaps another, a limit on the number of objects is reached, an object is archived, or the first request with the idempotency key is still running.',
  },
  precondition_failed: {
    status: 412,
    title: 'Precondition failed',
    description: '`If-Match` does not match the state of the object: somebody else has changed it. Read it again.',
  },
  payload_too_large: {
    status: 413,
    title: 'Payload too large',
    description: 'The body is larger than the operation accepts, or has more values.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    description: 'The body is not `application/json`, or is compressed.',
  },
  validation_failed: { status: 422, title: 'Validation failed', description: 'Some fields are invalid; `errors` lists each of them.' },
  url_blocked: { status: 422, title: 'URL blocked', description: 'A destination is on the block list.' },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    description: 'The `Idempotency-Key` was first sent with another request.',
  },
  rate_limited: {
    status: 429,
    title: 'Rate limited',
    description:
      'Too many requests with this key; too many requests to `/sdk/*`, to shared views, or with unknown keys from this address; too many wrong passwords for a shared view; or too many exports, streams or long calls at once. Wait as many seconds as `Retry-After` says.',
  },
  internal_error: { status: 500, title: 'Internal error', description: 'A fault of the service. `instance` names the request in its log.' },
  service_unavailable: {
    status: 503,
    title: 'Service unavailable',
    description:
      'The database, the click store or the job queue cannot be reached or is too slow, or the server is busy or shutting down. Wait as many seconds as `Retry-After` says.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

export const PROBLEM_CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];

/** The part of a request that contains an offending field. */
export const FIELD_PLACES = ['body', 'query', 'path', 'header'] as const;
export type FieldPlace = (typeof FIELD_PLACES)[number];

/** What can be wrong with a field. */
export const FIELD_CODES = {
  ...ISSUE_CODES,
  too_short: 'The text is shorter than allowed.',
  too_few: 'The list has fewer items than allowed.',
  unresolvable_host: "The URL's host name cannot be resolved.",
  unknown_link: 'The environment has no such link.',
  unknown_campaign: 'The environment has no such campaign.',
  unknown_resource_type: 'The environment has no such resource type.',
  unknown_domain: 'The environment has no such verified domain.',
  url_blocked: 'The URL, or its host, is on the block list.',
  taken: 'Another object has this value, which must be unique.',
  invalid_cursor: 'The cursor was altered, or belongs to another list.',
  invalid_range: 'The range is empty, or wider than allowed.',
} as const satisfies Record<string, string>;

export type FieldCode = keyof typeof FIELD_CODES;

export const FIELD_CODE_NAMES = Object.keys(FIELD_CODES) as readonly FieldCode[];

/** One offending field. `pointer` is a JSON Pointer (RFC 6901) into the place named by `in`. */
export interface FieldError {
  readonly pointer: string;
  readonly in: FieldPlace;
  readonly code: FieldCode;
  readonly detail: string;
}
