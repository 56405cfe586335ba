import t from 'tap';
import { type CreatedLink, startStack } from '../support/stack.js';
import { until } from '../support/until.js';
import { createVisitor } from '../support/visitor.js';
import { isAccepted, type Received, startReceiver } from '../support/webhook-receiver.js';

interface Endpoint {
  readonly id: string;
  readonly secret: string;
}

interface Delivery {
  readonly id: string;
  readonly event_type: string;
  readonly kind: string;
  readonly status: string;
  readonly response_code: number | null;
  readonly response_body: string | null;
}

t.test('events of a link reach a subscribed receiver, with a signature that the stripe package accepts', async (t) => {
  const receiver = await startReceiver(t, (response) => response.writeHead(200).end('taken'));
  const stack = await startStack(t, { environment: { OUTBOUND_ALLOW: receiver.origin } });
  const { controlPlane, project, engine } = stack;
  const { status, body: endpoint } = await controlPlane.call<Endpoint>(project, 'POST', '/webhooks', {
    url: `${receiver.origin}/hook`,
    events: ['link.created', 'link.updated', 'link.disabled', 'click.created'],
  });
  t.equal(status, 201, JSON.stringify(endpoint));

  receiver.trust(endpoint.secret);
  const ofType = async (type: string): Promise<Received> => {
    const delivery = await receiver.first(({ headers }) => headers['x-service-event'] === type, `a delivery of ${type}`);
    t.notOk(
      isAccepted(`${delivery.body} `, String(delivery.headers['x-service-signature']), endpoint.secret),
      'the signature does not fit a changed body',
    );
    return delivery;
  };

  const { body: link } = await controlPlane.call<CreatedLink>(project, 'POST', '/links', {
    destinations: { web: 'https://destination.example/hooked' },
  });
  const created = await ofType('link.created');
  t.equal(created.event.type, 'link.created');
  t.match(created.headers, { 'content-type': 'application/json', 'user-agent': 'Service-Webhooks/1' });
  t.match(created.headers['x-service-delivery'], /^whd_/);

  const visitor = createVisitor(engine.port, project.linkHost);
  t.teardown(() => visitor.close());
  t.equal((await visitor.visit(`/${link.path}`)).status, 302);
  t.match((await ofType('click.created')).event.data, { bot: false });

  await controlPlane.call(project, 'PATCH', `/links/${link.id}`, { deep_link_path: '/new' });
  await ofType('link.updated');
  await controlPlane.call(project, 'PATCH', `/links/${link.id}`, { status: 'disabled' });
  await ofType('link.disabled');

  const test = await controlPlane.call<Delivery>(project, 'POST', `/webhooks/${endpoint.id}/test`);
  t.match(test, { status: 202, body: { kind: 'test', status: 'pending' } });
  const sample = await receiver.first(({ headers }) => headers['x-service-delivery'] === test.body.id, 'the test delivery');
  t.equal(sample.event.test, true);

  const log = async () => (await controlPlane.call<{ data: Delivery[] }>(project, 'GET', `/webhooks/${endpoint.id}/deliveries`)).body.data;
  await until(async () => (await log()).every((delivery) => delivery.status === 'succeeded'), 'every delivery to be logged');
  const deliveries = await log();
  t.equal(deliveries.length, receiver.received.length, 'each delivery was made once');
  for (const delivery of deliveries) t.match(delivery, { status: 'succeeded', response_code: 200, response_body: 'taken' });
});
