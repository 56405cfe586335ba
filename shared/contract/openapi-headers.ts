import { honoursIdempotencyKey, honoursIfMatch, type Route, takesIdempotencyKey } from './routes/route.js';

export type Json = Record<string, unknown>;

/** The headers of answers, by name. */
export const HEADERS: Json = {
  'X-Request-Id': { description: 'Id of the request; name it when you report a problem', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before the next try', schema: { type: 'integer', minimum: 0 } },
  'RateLimit-Limit': {
    description:
      'Requests per minute that this key may send to this server; on `/sdk/*`, that this address may send. Several servers share the limit evenly. These headers are absent if the limit is off, and if the request was refused before it was counted, such as one with an unknown secret key',
    schema: { type: 'integer' },
  },
  'RateLimit-Remaining': { description: 'Requests left in the current window', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the window ends', schema: { type: 'integer' } },
  'Idempotent-Replayed': {
    description: '`true` if this is the stored response of an earlier request with the same `Idempotency-Key`',
    schema: { type: 'string', enum: ['true'] },
  },
  Location: { description: 'Path of the new object', schema: { type: 'string' } },
  ETag: {
    description:
      "Entity tag of the object's state. It changes whenever a field that you can set changes. It does not change with values that the service maintains, such as the time at which it last looked up a domain's record",
    schema: { type: 'string' },
  },
  Allow: { description: 'Methods that the path supports', schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'The authentication scheme to use', schema: { type: 'string', enum: ['Bearer'] } },
};

/** References to headers of answers. */
export function headers(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

const IDEMPOTENCY_PARAMETER: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A UUID. For 24 hours the same key with the same request returns the first response again and has no second effect. The order of the members of a JSON object makes no difference. The same key with another request is 422 `idempotency_key_reused`. While the first request still runs, it is 409 `conflict`, on every control plane; if the control plane that ran it has died, for half a minute at most. Only 2xx responses are stored: after any other response the key may be used again, also with a corrected body.',
  schema: { type: 'string', format: 'uuid' },
};

/** For an operation that returns a file. */
const NEEDLESS_KEY_PARAMETER: Json = {
  ...IDEMPOTENCY_PARAMETER,
  description: 'A UUID. It is accepted and ignored: the operation has no effect, and its response is created again each time.',
};

const IF_MATCH_PARAMETER: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` that the object had when you read it, or a list of several. If the object has another `ETag` now, the response is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the object is changed whatever its state is.',
  schema: { type: 'string' },
};

const LAST_EVENT_ID_PARAMETER: Json = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'Id of the last event that the client received. The stream continues after it',
  schema: { type: 'string' },
};

/** The request headers that the operation honours. */
export function headerParameters(route: Route): readonly Json[] {
  return [
    ...(takesIdempotencyKey(route) ? [honoursIdempotencyKey(route) ? IDEMPOTENCY_PARAMETER : NEEDLESS_KEY_PARAMETER] : []),
    ...(honoursIfMatch(route) ? [IF_MATCH_PARAMETER] : []),
    ...(route.response.events === undefined ? [] : [LAST_EVENT_ID_PARAMETER]),
  ];
}
