import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BODY_VALUES_MAX } from '../../shared/base/body-limits.js';
import { markInexactIntegers } from '../../shared/base/exact-numbers.js';
import {
  APP_BODIES_BYTES_MAX,
  APP_BODIES_OF_ADDRESS_BYTES_MAX,
  LARGE_CALL_BYTES_MIN,
  SERVER_BODIES_BYTES_MAX,
  SERVER_BODIES_OF_KEY_BYTES_MAX,
} from '../../shared/base/limits.js';
import type { Route } from '../../shared/contract/routes/route.js';
import { addressOfLimit } from '../../shared/net/address.js';
import type { ProxyTrust } from '../../shared/net/client-address.js';
import { addressOf } from './admit.js';
import { Budget, tooMany } from './budget.js';
import { hasMoreValues } from './json-values.js';
import { refuse } from './problems.js';
import { readBody } from './read-body.js';

/** Parses the bytes of a body. Rejects with a refusal if they are not a valid body. */
export type BodyParser = (bytes: Uint8Array) => Promise<unknown>;

/**
 * Parses bodies, which are JSON in UTF-8. A member `__proto__` is treated like any other: `JSON.parse` makes it an own property, and rules
 * refuse it like every unknown member. `app` is used only for its parser.
 */
export function createBodyParser(app: FastifyInstance): BodyParser {
  const parse = app.getDefaultJsonParser('ignore', 'ignore');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes: Uint8Array): string => {
    try {
      return decoder.decode(bytes);
    } catch {
      throw refuse('bad_request', 'The body is not UTF-8.');
    }
  };
  return async (bytes) => {
    const marked = markInexactIntegers(decode(bytes));
    const parsed = await new Promise((resolve, reject) => {
      // The parser does not use the request.
      parse(NO_REQUEST, marked.text, (error, value) => (error === null ? resolve(value) : reject(error)));
    });
    return marked.restore(parsed);
  };
}

const NO_REQUEST = null as unknown as FastifyRequest;

export interface BodyReading {
  readonly proxyTrust: ProxyTrust;
  /** Whether a body of this size is parsed by the thread that handles the call, and not here. */
  readonly isParsedElsewhere: (request: FastifyRequest, bytes: number) => boolean;
}

/** Reads bodies and parses them. Keeps the bytes, because an idempotency key is bound to them. */
export function addJsonParser(app: FastifyInstance, { proxyTrust, isParsedElsewhere }: BodyReading): void {
  app.removeAllContentTypeParsers();
  const parse = createBodyParser(app);
  // Separate budgets, because anybody can have a publishable key, and must not be able to block servers with it.
  const refusals = tooMany('bodies are being sent at once');
  const appBudget = new Budget({ refusals, max: APP_BODIES_BYTES_MAX, holderMax: APP_BODIES_OF_ADDRESS_BYTES_MAX });
  const serverBudget = new Budget({ refusals, max: SERVER_BODIES_BYTES_MAX, holderMax: SERVER_BODIES_OF_KEY_BYTES_MAX });
  const read = (request: FastifyRequest): Promise<Buffer> => {
    const ofServer = request.caller?.kind === 'secret';
    return readBody(request.raw, {
      bytesMax: request.routeOptions.bodyLimit,
      declaredBytes: declaredBytes(request),
      budget: ofServer ? serverBudget : appBudget,
      holder: ofServer ? (request.caller?.keyId ?? '') : addressOfLimit(addressOf(request, proxyTrust)),
    });
  };
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const body = await read(request);
    if (body.length === 0) return undefined;
    request.rawBody = body;
    if (isParsedElsewhere(request, body.length)) return undefined;
    if (body.length > LARGE_CALL_BYTES_MIN && hasMoreValues(body, BODY_VALUES_MAX))
      throw refuse('payload_too_large', `The body has more than ${BODY_VALUES_MAX} values, which is more than this operation accepts.`);
    return parse(body);
  });
}

function declaredBytes({ headers }: FastifyRequest): number | null {
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}

/** `us-ascii` is a subset of UTF-8. */
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;
const CHARSETS = ['utf-8', 'utf8', 'us-ascii'];

/** Refuses bodies that are not accepted, before anything of them is read. */
export function refuseUnwantedBody(route: Route, request: FastifyRequest): void {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') {
    // Some clients send a content type without a body, and the framework would refuse a type for which it has no parser.
    delete headers['content-type'];
    return;
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  const coding = headers['transfer-encoding'] ?? 'chunked';
  if (encoding.toLowerCase() !== 'identity' || coding.toLowerCase() !== 'chunked')
    throw refuse('unsupported_media_type', 'Compressed bodies are not accepted.');
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !CHARSETS.includes(charset.toLowerCase()))
    throw refuse('unsupported_media_type', 'The body must be in UTF-8.');
  if (route.method === 'GET') throw refuse('bad_request', 'GET must not have a body.');
}
