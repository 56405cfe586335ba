import { honoursIdempotencyKey, honoursIfMatch, type Route, takesIdempotencyKey } from './routes/route.js';

export type Json = Record<string, unknown>;

/** The headers of answers, by name. */
export const HEADERS: Json = {
  'X-Request-Id': { description: 'Id of the request; name it when you report a problem', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before the next try', schema: { type: 'integer', minimum: 0 } },
  'RateLimit-Limit': {
    description:
      'Requests a minute this key may make of the server that answers; on `/sdk/*` this address. Several servers share the limit evenly',
    schema: { type: 'integer' },
  },
  'RateLimit-Remaining': { description: 'Requests left in the current window', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the window ends', schema: { type: 'integer' } },
  'Idempotent-Replayed': {
    description: '`true` where the answer is the remembered one of an earlier request with the same `Idempotency-Key`',
    schema: { type: 'string', enum: ['true'] },
  },
  Location: { description: 'Path of the object made', schema: { type: 'string' } },
  ETag: {
    description:
      "Entity tag of the object's state. It changes with everything that can be set, and not with what the service notes by the way, such as when it last looked for a domain's record",
    schema: { type: 'string' },
  },
  Allow: { description: 'Methods the path has', schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'The scheme asked for', schema: { type: 'string', enum: ['Bearer'] } },
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
    'A UUID. For 24 hours the same key with the same request answers the first answer again and has no second effect. The order of the members of a JSON object makes no difference. With another request it is 422 `idempotency_key_reused`; while the first still runs, 409 `conflict`, whichever control plane it came to; of a control plane that died meanwhile, for at most half a minute. Only answers 2xx are remembered: after any other one the key may be used again, with a corrected body too.',
  schema: { type: 'string', format: 'uuid' },
};

/** Of an operation whose answer is a file. */
const NEEDLESS_KEY_PARAMETER: Json = {
  ...IDEMPOTENCY_PARAMETER,
  description: 'A UUID. It changes nothing: the operation has no effect, and its answer is made again each time.',
};

const IF_MATCH_PARAMETER: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` that the object had when it was read, or several of them. If it has another one now, the answer is 412 `precondition_failed` and nothing is changed. `*` matches any object that exists. Without the header the change is made of whatever the object is now.',
  schema: { type: 'string' },
};

const LAST_EVENT_ID_PARAMETER: Json = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'Id of the last event that the client has: the stream goes on behind it',
  schema: { type: 'string' },
};

/** The headers of requests that the operation heeds. */
export function headerParameters(route: Route): readonly Json[] {
  return [
    ...(takesIdempotencyKey(route) ? [honoursIdempotencyKey(route) ? IDEMPOTENCY_PARAMETER : NEEDLESS_KEY_PARAMETER] : []),
    ...(honoursIfMatch(route) ? [IF_MATCH_PARAMETER] : []),
    ...(route.response.events === undefined ? [] : [LAST_EVENT_ID_PARAMETER]),
  ];
}
