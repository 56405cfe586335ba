import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BASE_PATH, type Route } from '../../shared/contract/routes/route.js';
import { addressOfLimit } from '../../shared/net/address.js';
import { clientAddress, type ProxyTrust } from '../../shared/net/client-address.js';
import { type Authenticator, authorize, presentedKey } from './authenticate.js';
import { CORS_HEADER_NAMES, corsHeaders, preflightHeaders, refuseOrigin } from './cors.js';
import { type RateDecision, type RateLimiter, refuseOverLimit } from './rate-limit.js';

/**
 * Admits or refuses a request: rate limit, key, origin, scope. This happens before the body is read, so that nobody without a key
 * can make the server parse anything. Limits are checked before any look-up, so a client that exceeds one costs the database nothing.
 */
export interface Admission {
  readonly authenticator: Authenticator;
  /** Counts secret keys. */
  readonly rateLimiter: RateLimiter;
  /** Counts addresses on `/sdk/*`. Everybody has the publishable key, so one client must not be able to use up the limit of the others. */
  readonly addressRateLimiter: RateLimiter;
  /** Counts addresses on routes that take no key. */
  readonly keylessRateLimiter: RateLimiter;
  readonly proxyTrust: ProxyTrust;
}

/** Returns the address of the client, according to the trusted proxies. */
export function addressOf({ socket, headers }: FastifyRequest, trust: ProxyTrust): string {
  const forwarded = headers['x-forwarded-for'];
  return clientAddress(trust, socket.remoteAddress ?? '', typeof forwarded === 'string' ? forwarded : (forwarded ?? []).join(','));
}

/** Sets the caller of the request, or throws a refusal. */
export async function admit(route: Route, request: FastifyRequest, reply: FastifyReply, admission: Admission): Promise<void> {
  if (route.key === 'none') {
    const { keylessRateLimiter, proxyTrust } = admission;
    return applyLimit(reply, keylessRateLimiter.count(addressOfLimit(addressOf(request, proxyTrust))), ADDRESS_LIMIT);
  }
  await (route.key === 'publishable' ? admitApp(route, request, reply, admission) : admitServer(route, request, reply, admission));
}

const KEY_LIMIT = 'Too many requests with this key.';
const ADDRESS_LIMIT = 'Too many requests from this address.';

async function admitServer(route: Route, request: FastifyRequest, reply: FastifyReply, admission: Admission): Promise<void> {
  const { authenticator, rateLimiter, proxyTrust } = admission;
  const key = presentedKey(request.headers.authorization);
  request.caller = authenticator.remembered(key);
  const spent = request.caller === null ? null : rateLimiter.spent(request.caller.keyId);
  if (spent !== null) refuseOverLimit(spent, KEY_LIMIT);
  const caller = await authenticator.authenticate(key, addressOf(request, proxyTrust));
  request.caller = caller;
  applyLimit(reply, rateLimiter.count(caller.keyId), KEY_LIMIT);
  authorize(caller, route);
}

async function admitApp(route: Route, request: FastifyRequest, reply: FastifyReply, admission: Admission): Promise<void> {
  const { authenticator, addressRateLimiter, proxyTrust } = admission;
  const { origin } = request.headers;
  const address = addressOf(request, proxyTrust);
  reply.header('vary', 'Origin');
  if (origin !== undefined) reply.headers(corsHeaders(origin));
  applyLimit(reply, addressRateLimiter.count(addressOfLimit(address)), ADDRESS_LIMIT);
  const caller = await authenticator.authenticate(presentedKey(request.headers.authorization), address);
  request.caller = caller;
  if (origin !== undefined && !caller.environment.webOrigins.includes(origin)) {
    for (const name of CORS_HEADER_NAMES) reply.removeHeader(name);
    throw refuseOrigin(origin);
  }
  authorize(caller, route);
}

function applyLimit(reply: FastifyReply, rate: RateDecision, detail: string): void {
  reply.headers(rate.headers);
  refuseOverLimit(rate, detail);
}

const SDK_PREFIX = `${BASE_PATH}/sdk/`;

/** Lets a page of any origin read the response to its call, as long as its key is not known. Pages may misspell paths, too. */
export function letPagesRead({ method, headers: { origin }, url }: FastifyRequest, reply: FastifyReply): void {
  if (origin !== undefined && method !== 'OPTIONS' && url.startsWith(SDK_PREFIX)) reply.headers({ vary: 'Origin', ...corsHeaders(origin) });
}

/**
 * Answers the preflight of a path that does not exist, because a page can read the 404 of its call only if the preflight succeeds. Returns
 * whether the request was such a preflight.
 */
export function answerLostPreflight({ method, headers: { origin }, url }: FastifyRequest, reply: FastifyReply): boolean {
  if (origin === undefined || method !== 'OPTIONS' || !url.startsWith(SDK_PREFIX)) return false;
  reply.code(204).headers(preflightHeaders('POST, OPTIONS')).send();
  return true;
}

/**
 * Adds OPTIONS for every path that browsers may call. A request without `Origin` is no preflight, and is answered as on other paths. A
 * preflight looks nothing up, so it does not count against a limit: if it were refused, the page could not read the refusal.
 */
export function addPreflights(app: FastifyInstance, routes: readonly Route[]): void {
  for (const { method, path } of routes.filter(({ key }) => key === 'publishable')) {
    const methods = `${method}, OPTIONS`;
    app.options(BASE_PATH + path, async (request, reply) => {
      reply.code(204).headers({ allow: methods });
      if (request.headers.origin !== undefined) reply.headers(preflightHeaders(methods));
      return reply.send();
    });
  }
}
