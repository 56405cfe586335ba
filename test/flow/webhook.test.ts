import Stripe from 'stripe';
import t from 'tap';
import { type Received, startReceiver } from '../support/receiver.js';
import { type CreatedLink, startStack } from '../support/stack.js';
import { until } from '../support/until.js';
import { createVisitor } from '../support/visitor.js';

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

interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly test?: boolean;
  readonly data: object;
}

t.setTimeout(110_000);
t.test('what happens to a link reaches a subscribed receiver, signed so that the stripe package accepts it', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const stack = await startStack(t, { environment: { OUTBOUND_ALLOW: receiver.origin } });
  const { controlPlane, project, engine } = stack;
  const { status, body: endpoint } = await controlPlane.call<Endpoint>(project, 'POST', '/webhooks', {
    url: `${receiver.origin}/hook`,
    events: ['link.created', 'link.updated', 'link.disabled', 'click.created'],
  });
  t.equal(status, 201, JSON.stringify(endpoint));

  const stripe = new Stripe('sk_test_unused');
  const ofType = async (type: string): Promise<{ readonly delivery: Received; readonly event: EventBody }> => {
    const delivery = await receiver.first(({ headers }) => headers['x-service-event'] === type, `a delivery of ${type}`);
    const signature = delivery.headers['x-service-signature'] as string;
    t.doesNotThrow(() => stripe.webhooks.constructEvent(delivery.body, signature, endpoint.secret), `the signature of ${type}`);
    const forged = Buffer.concat([delivery.body, Buffer.from(' ')]);
    t.throws(() => stripe.webhooks.constructEvent(forged, signature, endpoint.secret), 'and of nothing else');
    return { delivery, event: JSON.parse(delivery.body.toString()) as EventBody };
  };

  const { body: link } = await controlPlane.call<CreatedLink>(project, 'POST', '/links', {
    destinations: { web: 'https://destination.example/hooked' },
  });
  const created = await ofType('link.created');
  t.equal(created.event.type, 'link.created');
  t.match(created.delivery.headers, { 'content-type': 'application/json', 'user-agent': 'Service-Webhooks/1' });
  t.match(created.delivery.headers['x-service-delivery'], /^whd_/);

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
  t.equal((JSON.parse(sample.body.toString()) as EventBody).test, true);

  const log = async () => (await controlPlane.call<{ data: Delivery[] }>(project, 'GET', `/webhooks/${endpoint.id}/deliveries`)).body.data;
  await until(async () => (await log()).every((delivery) => delivery.status === 'succeeded'), 'every delivery to be logged').catch(
    () => {},
  );
  const deliveries = await log();
  t.equal(deliveries.length, receiver.received.length, 'each delivery was made once');
  for (const delivery of deliveries) t.match(delivery, { status: 'succeeded', response_code: 200, response_body: 'taken' });
});
