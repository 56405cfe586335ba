import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BASE_PATH, type Route } from '../../shared/contract/route.js';
import { clientAddress, type ProxyTrust } from '../../shared/net/client-address.js';
import { type Authenticate, authorize, type Caller } from './authenticate.js';
import { CORS_HEADER_NAMES, corsHeaders, type Origins, preflightHeaders, refuseOrigin } from './cors.js';
import { refuse } from './problems.js';
import { addressOfLimit, type RateDecision, type RateLimiter } from './rate-limit.js';

/** Who gets in: key, origin, rate limit, scope. All of it before the body is read, so that a stranger cannot make the server parse anything. */
export interface Admission {
  readonly authenticate: Authenticate;
  /** Counts secret keys. */
  readonly rateLimiter: RateLimiter;
  /** Counts addresses on `/sdk/*`: everybody has the publishable key, and nobody may use up what is others'. */
  readonly addressRateLimiter: RateLimiter;
  readonly origins: Origins;
  readonly proxyTrust: ProxyTrust;
}

/** The address of whoever sent the request, as the trusted proxies tell it. */
export function addressOf({ socket, headers }: FastifyRequest, trust: ProxyTrust): string {
  const forwarded = headers['x-forwarded-for'];
  return clientAddress(trust, socket.remoteAddress ?? '', typeof forwarded === 'string' ? forwarded : (forwarded ?? []).join(','));
}

/** The caller, or throws why it is refused. */
export function admit(route: Route, request: FastifyRequest, reply: FastifyReply, admission: Admission): Promise<Caller> {
  return route.key === 'publishable' ? admitApp(route, request, reply, admission) : admitServer(route, request, reply, admission);
}

async function admitServer(route: Route, request: FastifyRequest, reply: FastifyReply, admission: Admission): Promise<Caller> {
  const caller = await admission.authenticate(request.headers.authorization);
  request.caller = caller;
  applyLimit(reply, admission.rateLimiter(caller.keyId), 'with this key');
  authorize(caller, route);
  return caller;
}

/** The limit comes first, since it takes no look-up; but a page must be able to read that it was refused by it. */
async function admitApp(route: Route, request: FastifyRequest, reply: FastifyReply, admission: Admission): Promise<Caller> {
  const { origin } = request.headers;
  reply.header('vary', 'Origin');
  const rate = admission.addressRateLimiter(addressOfLimit(addressOf(request, admission.proxyTrust)));
  if (origin !== undefined && (await admission.origins.isListed(origin))) reply.headers(corsHeaders(origin));
  applyLimit(reply, rate, 'from this address');
  const caller = await admission.authenticate(request.headers.authorization);
  request.caller = caller;
  authorize(caller, route);
  if (origin === undefined || caller.environment.webOrigins.includes(origin)) return caller;
  for (const name of CORS_HEADER_NAMES) reply.removeHeader(name);
  throw refuseOrigin(origin);
}

function applyLimit(reply: FastifyReply, rate: RateDecision, whose: string): void {
  reply.headers(rate.headers);
  if (!rate.allowed) throw refuse('rate_limited', `Too many requests ${whose}.`, { 'retry-after': String(rate.retryAfterSeconds) });
}

/** OPTIONS of every path that browsers may call. Without an `Origin` it is no preflight, and is answered as everywhere. */
export function addPreflights(
  app: FastifyInstance,
  routes: readonly Route[],
  { origins, addressRateLimiter, proxyTrust }: Admission,
): void {
  for (const { method, path } of routes.filter(({ key }) => key === 'publishable')) {
    const methods = `${method}, OPTIONS`;
    app.options(BASE_PATH + path, async (request, reply) => {
      const { origin } = request.headers;
      reply.code(204).headers({ vary: 'Origin', allow: methods });
      if (origin === undefined) return reply.send();
      applyLimit(reply, addressRateLimiter(addressOfLimit(addressOf(request, proxyTrust))), 'from this address');
      if (!(await origins.isListed(origin))) throw refuseOrigin(origin);
      return reply.headers(preflightHeaders(origin, methods)).send();
    });
  }
}
