import t from 'tap';
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.js';
import { startCustomerApi } from '../support/customer-api.js';
import { askCard, makePreviewedType } from '../support/preview-bots.js';
import { startStack } from '../support/stack.js';
import { until } from '../support/until.js';
import { startReceiver } from '../support/webhook-receiver.js';

const SENT_EVERY_MS = '200';
const REMOTE = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

const below = ({ spans }: Collector, { spanId }: CollectedSpan) => spans.filter(({ parentSpanId }) => parentSpanId === spanId);

t.test('API calls and outgoing calls are traced, and outgoing calls carry no trace header', async (t) => {
  const collector = await startCollector(t);
  const receiver = await startReceiver(t, (response) => response.writeHead(500).end('not today'));
  const api = await startCustomerApi(t, (path, response) => response.end(JSON.stringify({ name: path.slice(1) })));
  const stack = await startStack(t, {
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
      OTEL_BSP_SCHEDULE_DELAY: SENT_EVERY_MS,
      OUTBOUND_ALLOW: `${receiver.origin},${api.origin}`,
    },
  });
  const { controlPlane, project } = stack;

  await t.test('a call is a span in its caller’s trace, and its SQL statements are child spans', async (t) => {
    const response = await fetch(`${controlPlane.baseUrl}/links`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${project.secretKey}`,
        'content-type': 'application/json',
        traceparent: `00-${REMOTE.traceId}-${REMOTE.spanId}-00`,
      },
      body: JSON.stringify({ destinations: { web: 'https://destination.example/' } }),
    });
    t.equal(response.status, 201);
    const span = await collector.first(
      ({ traceId, parentSpanId }) => traceId === REMOTE.traceId && parentSpanId === REMOTE.spanId,
      'the call',
    );
    t.match(span, {
      service: 'control-plane',
      name: 'POST /v1/links',
      isError: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/links',
        'http.response.status_code': 201,
        'link_service.operation': 'createLink',
        'link_service.request_id': response.headers.get('x-request-id'),
      },
    });
    const names = below(collector, span).map(({ name }) => name);
    t.ok(
      ['find_key', 'insert_link'].every((name) => names.includes(name)),
      names.join(', '),
    );
    t.notMatch(JSON.stringify(collector.spans), /destination\.example|sk_live_/, 'no span holds data of the request');
  });

  await t.test('the call of a customer’s API is a child span of its preview', async (t) => {
    await makePreviewedType(stack, 'stock', { url_template: `${api.origin}/{id}`, field_mapping: { title: 'name' } });
    const { status } = await controlPlane.call(project, 'POST', '/resources/preview', { path: '/stock/asked' });
    t.equal(status, 200);
    const preview = await collector.first(({ name }) => name === 'POST /v1/resources/preview', 'the preview');
    const call = below(collector, preview).find(({ name }) => name === 'metadata GET');
    t.match(call, { isError: false, attributes: { 'server.address': '127.0.0.1', 'http.response.status_code': 200 } });
    await until(async () => (await askCard(stack, '/stock/bot')).title === 'bot', 'a card');
    await collector.first(({ service, name }) => service === 'background' && name === 'metadata GET', 'the call for a bot');
    t.ok(api.calls.length > 1);
    t.same(
      api.calls.filter(({ headers }) => headers.traceparent !== undefined),
      [],
    );
  });

  await t.test('each delivery attempt is a span', async (t) => {
    const { body: endpoint } = await controlPlane.call<{ id: string; secret: string }>(project, 'POST', '/webhooks', {
      url: `${receiver.origin}/hook`,
      events: ['link.created'],
    });
    receiver.trust(endpoint.secret);
    await controlPlane.call(project, 'POST', `/webhooks/${endpoint.id}/test`);
    const attempt = await collector.first(({ name }) => name === 'webhook POST', 'the attempt');
    const [sent] = receiver.received;
    t.match(attempt, {
      service: 'background',
      isError: true,
      attributes: {
        'http.response.status_code': 500,
        'error.type': '500',
        'link_service.event_type': 'link.created',
        'link_service.webhook_id': endpoint.id,
        'link_service.delivery_id': sent?.headers['x-service-delivery'],
      },
    });
    t.equal(sent?.headers.traceparent, undefined);
  });

  await t.test('a call to an unknown route is a span named after its method', async (t) => {
    await fetch(`${controlPlane.baseUrl}/nothing/${'x'.repeat(30)}`);
    const span = await collector.first(({ attributes }) => attributes['http.response.status_code'] === 404, 'the refusal');
    t.match(span, { name: 'GET', isError: false });
  });

  await t.test('calls succeed while the collector is away', async (t) => {
    await collector.stop();
    for (let call = 0; call < 20; call++) t.equal((await controlPlane.call(project, 'GET', '/links')).status, 200);
  });
});
