import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { beginSpan, type Span } from '../../shared/tracing/tracer.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if tracing is off. */
    span: Span | null;
  }
}

/**
 * Creates a span for each request, from its head to the end of its response (OpenTelemetry, "Semantic conventions for HTTP spans"). Add
 * it before any other hook, so that the span includes them.
 */
export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, reply, done) => {
    const span = beginSpan(() => ({
      name: nameOf(request),
      kind: 'server',
      attributes: { 'http.request.method': request.method, ...routeOf(request), 'link_service.request_id': request.id },
      headers: request.headers,
    }));
    if (span === null) return done();
    request.span = span;
    reply.raw.once('close', () => endSpan(span, request, reply));
    span.within(done);
  });
}

/** Runs the handler within the request's span again, because reading a body leaves the span. */
export function withinSpan<Result>(request: FastifyRequest, work: () => Result): Result {
  return request.span === null ? work() : request.span.within(work);
}

function nameOf(request: FastifyRequest): string {
  const { url } = request.routeOptions;
  return url === undefined ? request.method : `${request.method} ${url}`;
}

function routeOf({ routeOptions: { url } }: FastifyRequest) {
  return url === undefined ? {} : { 'http.route': url };
}

function endSpan(span: Span, { operation }: FastifyRequest, { raw, statusCode }: FastifyReply): void {
  if (operation !== null) span.set({ 'link_service.operation': operation });
  if (!raw.writableFinished) span.fail('aborted');
  else {
    span.set({ 'http.response.status_code': statusCode });
    if (statusCode >= 500) span.fail(String(statusCode));
  }
  span.end();
}
