import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { BODY_BYTES_MAX, INSTALL_ID_CHARACTERS_MAX } from '../shared/base/limits.js';
import type { Logger } from '../shared/base/log.js';
import { openApiDocument } from '../shared/contract/openapi.js';
import { BASE_PATH, type Route } from '../shared/contract/routes/route.js';
import { OPERATION_IDS, type OperationId, ROUTES, routeOf } from '../shared/contract/routes.js';
import { documentWithSamples } from './docs/document.js';
import { type Admission, addPreflights, addressOf, admit, answerLostPreflight, letPagesRead } from './http/admit.js';
import type { Caller } from './http/authenticate.js';
import { addJsonParser, refuseUnwantedBody } from './http/body.js';
import { answerMalformedHttp, answerUnusualRequests } from './http/client-error.js';
import { compressAnswer } from './http/compress-answer.js';
import { limitConnections } from './http/connection-limit.js';
import { DASHBOARD_HEADERS, DASHBOARD_PATH, dashboardFiles } from './http/dashboard.js';
import { DOCS_HEADERS, DOCS_PATH, docsFiles } from './http/docs.js';
import { goneSignal } from './http/gone.js';
import { hasValidHost } from './http/host-header.js';
import type { Reply } from './http/idempotency.js';
import { allowedMethods, type RoutePattern, routePatterns, shadowedMethods } from './http/methods.js';
import type { ApiMetrics } from './http/metrics.js';
import type { Operation, Operations } from './http/operation.js';
import { createPipeline, type PipelineDependencies, type ReceivedRequest, refusalReply } from './http/pipeline.js';
import { asRefusal, internalError, type Refusal, refuse, refuseUnavailable } from './http/problems.js';
import { answerStaticFile, type StaticFile, staticFileOf } from './http/static-files.js';
import { traceRequests, withinSpan } from './http/trace-requests.js';
import type { LargeOperation } from './large-calls/large-calls.js';

/** Handles some calls outside the event loop, starting with the bytes of their body. */
export interface LargeCallThread {
  takes(operation: OperationId | null, bodyBytes: number): operation is LargeOperation;
  run(operation: LargeOperation, request: ReceivedRequest, body: Uint8Array): Promise<Reply>;
}

export interface AppDependencies extends PipelineDependencies {
  readonly operations: Operations;
  readonly largeCalls: LargeCallThread;
  readonly admission: Admission;
  readonly metrics: ApiMetrics;
  readonly log: Logger;
  /** Whether the server is shutting down. If so, every new request is answered with 503. */
  readonly draining: () => boolean;
  readonly serviceName: string;
  readonly version: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by authentication; null on routes without a key. */
    caller: Caller | null;
    /** The body's bytes as sent; null if there was none. */
    rawBody: Buffer | null;
    operation: OperationId | null;
    /** The time until a stream began, in milliseconds; its response counts as answered then. Null for any other response. */
    streamAfterMs: number | null;
  }
}

/** A client is disconnected if its request, head and body, is incomplete this long after its first byte. Node.js checks at an interval. */
const REQUEST_TIMEOUT_MS = 30_000;
const REQUEST_TIMEOUT_LOOK_MS = 1_000;

/** Longer than the 60 s after which common load balancers stop reusing an idle connection. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/** The longest parameter is the id of an installation, in which a character takes up to nine characters in percent-encoding. */
const PARAM_CHARACTERS_MAX = 9 * INSTALL_ID_CHARACTERS_MAX;

/** The API as a Fastify instance. It is stateless and has every route of the route table. Call `listen` on it, or `inject`. */
export function buildApp(dependencies: AppDependencies): FastifyInstance {
  const app = fastify({
    loggerInstance: dependencies.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => randomUUID(),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: PARAM_CHARACTERS_MAX },
    clientErrorHandler: answerMalformedHttp,
    http: {
      requireHostHeader: false, // its absence is answered below, like every other fault
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: REQUEST_TIMEOUT_LOOK_MS,
    },
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      letPagesRead(request, reply);
      send(reply, refusalReply(asRefusal(error) ?? internalError(), request.id));
    },
  }) as unknown as FastifyInstance;
  answerUnusualRequests(app.server, (request, response) => app.routing(request, response));
  limitConnections(app.server, dependencies.admission.proxyTrust, dependencies.log);
  app.decorateRequest('caller', null);
  app.decorateRequest('rawBody', null);
  app.decorateRequest('operation', null);
  app.decorateRequest('streamAfterMs', null);
  traceRequests(app);
  addJsonParser(app, {
    proxyTrust: dependencies.admission.proxyTrust,
    isParsedElsewhere: ({ operation }, bytes) => dependencies.largeCalls.takes(operation, bytes),
  });
  const document = openApiDocument(ROUTES, dependencies);
  const dashboard = dashboardFiles();
  const docs = docsFiles(documentWithSamples(document));
  const pages = [...dashboard.keys(), ...docs.keys()].map((path) => ({ method: 'GET', path }));
  addHooks(app, dependencies, [...PATTERNS, ...routePatterns(pages)]);
  for (const id of OPERATION_IDS) addOperation(app, id, dependencies);
  addShadows(app);
  addPreflights(app, Object.values<Route>(ROUTES));
  addDocument(app, document);
  addFiles(app, docs, DOCS_HEADERS);
  addFiles(app, dashboard, DASHBOARD_HEADERS);
  addRedirects(app);
  app.setErrorHandler((error, request, reply) => {
    const refusal = asRefusal(error);
    if (refusal === null || refusal.code === 'service_unavailable')
      request.log.error({ code: 'request_failed', err: error }, 'request failed');
    // Fastify would close the connection after it refuses a body. What the client is still sending would then be answered with a reset,
    // which loses the response. Node.js reads and drops the rest, within the request timeout.
    reply.removeHeader('connection');
    send(reply, refusalReply(refusal ?? internalError(), request.id));
  });
  return app;
}

const DOCUMENT_PATH = `${BASE_PATH}/openapi.json`;

/** Redirects from addresses that people type. They are relative, so that they also work below a proxy's sub-path. */
const REDIRECTS = {
  '/': DASHBOARD_PATH.slice(1),
  [DASHBOARD_PATH.slice(0, -1)]: DASHBOARD_PATH.slice(1),
  [`${DOCS_PATH}/`]: `..${DOCS_PATH}`,
};

const PATTERNS = routePatterns([
  ...Object.values<Route>(ROUTES).map(({ method, path }) => ({ method, path: BASE_PATH + path })),
  { method: 'GET', path: DOCUMENT_PATH },
  ...Object.keys(REDIRECTS).map((path) => ({ method: 'GET', path })),
]);

function refuseMethod(methods: readonly string[]): Refusal {
  const allow = methods.join(', ');
  return refuse('method_not_allowed', `This path supports only ${allow}.`, { allow });
}

/** A literal path refuses methods that the router would otherwise match to a path with a parameter. */
function addShadows(app: FastifyInstance): void {
  for (const { method, segments } of shadowedMethods(PATTERNS)) {
    const refusal = refuseMethod(allowedMethods(PATTERNS, segments.join('/')) ?? []);
    app.route({
      method,
      url: segments.join('/').replaceAll(/\{(\w+)\}/g, ':$1'),
      onRequest: async () => {
        throw refusal;
      },
      handler: (_request, reply) => reply,
    });
  }
}

function addHooks(app: FastifyInstance, { draining, metrics }: AppDependencies, patterns: readonly RoutePattern[]): void {
  app.addHook('onRequest', async (request, reply) => {
    // Responses contain secrets and customers' data, so no cache may store them.
    reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    letPagesRead(request, reply);
    // A preflight reveals nothing about the server, and without a response to it the page could not read the response to its request.
    if (draining() && request.method !== 'OPTIONS') throw refuseUnavailable('The server is shutting down.');
    if (!hasValidHost(request.raw)) throw refuse('bad_request', 'HTTP/1.1 requires one valid Host.');
    if (!request.is404) return;
    const methods = allowedMethods(patterns, request.url);
    if (methods === null && answerLostPreflight(request, reply)) return reply;
    if (methods === null) throw refuse('not_found', 'There is no such route.');
    if (request.method !== 'OPTIONS') throw refuseMethod(methods);
    return send(reply, { status: 204, headers: { allow: methods.join(', ') }, body: '' });
  });
  const note = (request: FastifyRequest, reply: FastifyReply): void => {
    metrics.observe(request.operation ?? 'none', reply.statusCode, (request.streamAfterMs ?? reply.elapsedTime) / 1000);
    request.log.info(
      {
        code: 'request_answered',
        operation: request.operation,
        method: request.method,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 10) / 10,
        key_id: request.caller?.keyId,
        trace_id: request.span?.traceId,
      },
      'answered',
    );
  };
  app.addHook('onSend', async (request, reply, payload) => {
    // The framework does not report a response that its client ends.
    if (request.streamAfterMs !== null) reply.raw.once('close', () => note(request, reply));
    // A kept-alive connection would delay the shutdown.
    if (draining()) reply.header('connection', 'close');
    return compressAnswer(request, reply, payload);
  });
  app.setNotFoundHandler((_request, reply) => reply);
  app.addHook('onResponse', async (request, reply) => {
    if (request.streamAfterMs === null) note(request, reply);
  });
}

function addOperation<Id extends OperationId>(app: FastifyInstance, id: Id, dependencies: AppDependencies): void {
  const route: Route = routeOf(id);
  const operation: Operation<Id> = dependencies.operations[id];
  const { largeCalls } = dependencies;
  const run = createPipeline(id, operation, dependencies);
  app.route({
    method: route.method,
    url: BASE_PATH + route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: route.bodyBytesMax ?? BODY_BYTES_MAX,
    onRequest: async (request, reply) => {
      request.operation = id;
      await admit(route, request, reply, dependencies.admission);
      refuseUnwantedBody(route, request);
    },
    handler: async (request, reply) => {
      const { body, rawBody } = request;
      const received: ReceivedRequest = {
        id: request.id,
        caller: request.caller as Caller,
        method: request.method,
        url: request.url,
        params: request.params as Record<string, string>,
        query: request.query as Record<string, unknown>,
        idempotencyKey: request.headers['idempotency-key'],
        ifMatch: request.headers['if-match'],
        lastEventId: lastEventIdOf(request.headers['last-event-id']),
        clientAddress: addressOf(request, dependencies.admission.proxyTrust),
      };
      const isLarge = rawBody !== null && largeCalls.takes(id, rawBody.length);
      const answer = withinSpan(request, () =>
        isLarge ? largeCalls.run(id, received, rawBody) : run({ ...received, body, rawBody, gone: () => goneSignal(reply.raw) }),
      );
      return send(reply, await answer);
    },
  });
}

/** The document changes only with the version. */
const DOCUMENT_CACHE = 'public, max-age=300';

/** Serves the contract itself, for programs, to everybody. */
function addDocument(app: FastifyInstance, document: Readonly<Record<string, unknown>>): void {
  const file = staticFileOf('openapi.json', Buffer.from(JSON.stringify(document)));
  addFiles(app, new Map([[DOCUMENT_PATH, file]]), { 'cache-control': DOCUMENT_CACHE });
}

/** Serves pages for people, which use this API or describe it. They are only files, open to everybody. */
function addFiles(app: FastifyInstance, files: ReadonlyMap<string, StaticFile>, headers: Readonly<Record<string, string>>): void {
  for (const [path, file] of files)
    app.get(path, (request, reply) => {
      const answer = answerStaticFile(file, request.headers['accept-encoding'], request.headers['if-none-match']);
      return send(reply, { ...answer, headers: { ...answer.headers, ...headers } });
    });
}

function addRedirects(app: FastifyInstance): void {
  for (const [path, location] of Object.entries(REDIRECTS))
    app.get(path, (_request, reply) => send(reply, { status: 302, headers: { location }, body: '' }));
}

/** `EventSource` omits the header if it has no id. Some clients send it empty. */
function lastEventIdOf(header: string | readonly string[] | undefined): string | null {
  return header === undefined || header === '' ? null : String(header);
}

/** A client that reads nothing any more is disconnected this long after its stream has ended. */
const STREAM_END_MS = 5_000;

function sendStream(reply: FastifyReply, { status, headers, stream }: Reply & { stream: () => Readable }): FastifyReply {
  const opened = stream();
  reply.request.streamAfterMs = reply.elapsedTime;
  opened.on('end', () => {
    const cutOff = setTimeout(() => reply.raw.destroy(), STREAM_END_MS);
    reply.raw.on('close', () => clearTimeout(cutOff));
    reply.raw.on('finish', () => clearTimeout(cutOff));
  });
  return reply.code(status).headers(headers).send(opened);
}

function send(reply: FastifyReply, answer: Reply): FastifyReply {
  const { status, headers, body, stream } = answer;
  if (reply.request.method === 'HEAD' && (stream !== undefined || body instanceof Readable)) {
    // What the stream holds would be sent to nobody. Without any, the framework would announce a length of 0, which is not that of a GET.
    if (body instanceof Readable) body.destroy();
    return reply.code(status).headers(headers).send(Readable.from([]));
  }
  if (stream !== undefined) return sendStream(reply, { ...answer, stream });
  // Bytes rather than text, because the framework would add a charset to text, which problem+json does not have.
  return reply
    .code(status)
    .headers(headers)
    .send(body === '' ? undefined : typeof body === 'string' ? Buffer.from(body) : body);
}
