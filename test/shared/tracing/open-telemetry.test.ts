import t from 'tap';
import { startTracing } from '../../../shared/tracing/open-telemetry.js';
import { beginSpan, type Span, type SpanStart } from '../../../shared/tracing/tracer.js';
import { startCollector } from '../../support/collector.js';
import { startCustomerApi } from '../../support/customer-api.js';

const SERVER: SpanStart = { name: 'GET /x', kind: 'server', attributes: { 'http.request.method': 'GET' }, headers: {} };
const PART: SpanStart = { name: 'read_links', kind: 'part', attributes: {} };
const SILENT = { warn: (facts: object, message: string) => t.fail(`${message} ${JSON.stringify(facts)}`) };
const REMOTE = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

function begun(start: SpanStart): Span {
  const span = beginSpan(() => start);
  if (span === null) throw new Error('no span was begun');
  return span;
}

t.test('without a collector no span begins, and its data is not computed', async (t) => {
  t.equal(await startTracing({ otlpEndpoint: '', otlpHeaders: {}, tracesShare: 1 }, { name: 'test', log: SILENT }), null);
  t.equal(
    beginSpan(() => t.fail('the data of a span was computed') as never),
    null,
  );
});

t.test('spans are sent when the process ends, each below its parent', async (t) => {
  const collector = await startCollector(t);
  const settings = { otlpEndpoint: collector.origin, otlpHeaders: { 'x-tenant': 'a b' }, tracesShare: 1 };
  const tracing = await startTracing(settings, { name: 'test', log: SILENT });
  const headers = { traceparent: `00-${REMOTE.traceId}-${REMOTE.spanId}-01` };
  const server = begun({ ...SERVER, headers });
  await server.within(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const part = begun(PART);
    part.fail('57P01');
    part.end();
  });
  t.equal(
    beginSpan(() => PART),
    null,
    'a part without a parent is left out',
  );
  server.end();
  begun({ name: 'webhook POST', kind: 'client', attributes: { count: 2, whole: true }, startedAtMs: Date.now() - 500 }).end();
  await tracing?.stop();
  t.equal(
    beginSpan(() => t.fail('the data of a span was computed after the end') as never),
    null,
  );
  const [part, request, client] = ['read_links', 'GET /x', 'webhook POST'].map((name) =>
    collector.spans.find((span) => span.name === name),
  );
  t.match(request, { service: 'test', traceId: REMOTE.traceId, parentSpanId: REMOTE.spanId, isError: false });
  t.match(part, { traceId: REMOTE.traceId, parentSpanId: request?.spanId, isError: true, attributes: { 'error.type': '57P01' } });
  t.match(client, { parentSpanId: undefined, attributes: { count: 2, whole: true } });
  t.ok((client?.durationMs ?? 0) >= 500);
  t.match(collector.headers, { 'x-tenant': 'a b', path: '/v1/traces' });
});

t.test('with a share of 0 nothing is traced, even if the caller sends a trace header', async (t) => {
  const collector = await startCollector(t);
  const tracing = await startTracing({ otlpEndpoint: collector.origin, otlpHeaders: {}, tracesShare: 0 }, { name: 'test', log: SILENT });
  begun({ ...SERVER, headers: { traceparent: `00-${REMOTE.traceId}-${REMOTE.spanId}-01` } }).end();
  begun({ ...SERVER, headers: { traceparent: 'nonsense' } }).end();
  await tracing?.stop();
  t.same(collector.spans, []);
});

t.test('a collector that is away does not delay the stop', async (t) => {
  const collector = await startCollector(t);
  await collector.stop();
  const tracing = await startTracing(
    { otlpEndpoint: collector.origin, otlpHeaders: {}, tracesShare: 1 },
    { name: 'test', log: { warn() {} } },
  );
  begun(SERVER).end();
  const beganAt = performance.now();
  await tracing?.stop();
  t.ok(performance.now() - beganAt < 3000);
});

t.test('the log reports a collector that refuses traces', async (t) => {
  const { origin } = await startCustomerApi(t, (_path, response) => response.writeHead(400).end());
  const warned: string[] = [];
  const log = { warn: (_facts: object, message: string) => warned.push(message) };
  const tracing = await startTracing({ otlpEndpoint: origin, otlpHeaders: {}, tracesShare: 1 }, { name: 'test', log });
  begun(SERVER).end();
  await tracing?.stop();
  t.same(warned, ['traces are not sent']);
});
