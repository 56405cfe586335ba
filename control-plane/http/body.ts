import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Route } from '../../shared/contract/route.js';
import { refuse } from './problems.js';

/**
 * Bodies are JSON in UTF-8. The bytes are kept, because an idempotency key is bound to them. Members that would reach an
 * object's prototype (`__proto__`, `constructor.prototype`) are refused with the rest of what is no valid body.
 */
export function addJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    request.rawBody = body;
    let text: string;
    try {
      text = decoder.decode(body);
    } catch {
      return done(refuse('bad_request', 'The body is not UTF-8.'));
    }
    parse(request, text, done);
  });
}

/** Refused before anything of the body is read. */
export function refuseUnwantedBody(route: Route, request: FastifyRequest): void {
  const { headers } = request;
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw refuse('unsupported_media_type', 'Compressed bodies are not taken.');
  if (route.method !== 'GET' && route.method !== 'DELETE') return;
  if (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0')
    throw refuse('bad_request', `${request.method} takes no body.`);
}
