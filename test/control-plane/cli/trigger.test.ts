import t from 'tap';
import { send } from '../../api/api-client.js';
import { startApiServer } from '../../api/api-server.js';
import { serveHttp } from '../../support/serve-http.js';
import { until } from '../../support/until.js';
import { runOverApi } from './api-command-line.js';

t.test('trigger sends a sample to the subscribed endpoints and reports each outcome', async (t) => {
  const api = await startApiServer(t);
  const defaults = { apiKey: api.liveKey, baseUrl: api.baseUrl };
  t.match(await runOverApi(defaults, 'trigger link.created'), {
    status: 0,
    stdout: /^event +evt_\w+\ntype +link\.created\ndeliveries +0\n$/,
  });
  const webhooks: string[] = [];
  for (const path of ['a', 'b']) {
    const body = { url: `https://hooks.example.com/${path}`, events: ['link.created'] };
    webhooks.push((await send(api.baseUrl, 'POST /webhooks', { key: api.liveKey, body })).json.id);
  }
  const queued = await runOverApi(defaults, '--json trigger link.created --no-wait');
  t.equal(queued.status, 0);
  t.match(JSON.parse(queued.stdout), {
    type: 'link.created',
    test: true,
    deliveries: webhooks.map((webhook_id) => ({ webhook_id, status: 'pending' })),
  });

  const ended = runOverApi(defaults, 'trigger link.created');
  const { id } = JSON.parse(queued.stdout);
  const set = (webhook: string, sql: string) =>
    api.database.query({
      text: `UPDATE webhook_deliveries SET ${sql}, due_at = NULL WHERE webhook_id = $1 AND event_id <> $2`,
      values: [webhook, id],
    });
  await until(async () => {
    const { rowCount } = await api.database.query({
      text: 'SELECT 1 FROM webhook_deliveries WHERE due_at IS NOT NULL AND event_id <> $1',
      values: [id],
    });
    return rowCount === 2;
  }, 'the deliveries to be queued');
  await set(webhooks[0] as string, "status = 'succeeded', response_code = 204");
  await set(webhooks[1] as string, "status = 'failed', error = 'dns'");
  const answer = await ended;
  t.equal(answer.status, 1);
  t.match(answer.stdout, new RegExp(`${webhooks[0]}.*succeeded.*204`));
  t.match(answer.stdout, new RegExp(`${webhooks[1]}.*failed.*dns`));
  t.equal(answer.stderr, 'linkd: 1 of 2 endpoints did not accept the event\n');
});

t.test('an endpoint that is deleted while trigger waits has failed, and the outcomes of the others are shown', async (t) => {
  const api = await startApiServer(t);
  const [kept, deleted] = await Promise.all(
    ['kept', 'deleted'].map(async (path) => {
      const body = { url: `https://hooks.example.com/${path}`, events: ['link.created'] };
      return (await send(api.baseUrl, 'POST /webhooks', { key: api.liveKey, body })).json.id as string;
    }),
  );
  const ended = runOverApi({ apiKey: api.liveKey, baseUrl: api.baseUrl }, 'trigger link.created');
  const change = (text: string) => api.database.query({ text, values: [] });
  await until(async () => (await change('SELECT 1 FROM webhook_deliveries WHERE due_at IS NOT NULL')).rowCount === 2, 'the deliveries');
  await send(api.baseUrl, `DELETE /webhooks/${deleted}`, { key: api.liveKey });
  await change("UPDATE webhook_deliveries SET status = 'succeeded', response_code = 204, due_at = NULL");
  const answer = await ended;
  t.match(answer, { status: 1, stderr: 'linkd: 1 of 2 endpoints did not accept the event\n' });
  t.match(answer.stdout, new RegExp(`${kept}.*succeeded.*204`));
  t.match(answer.stdout, new RegExp(`${deleted}.*failed.*the endpoint was deleted`));
});

t.test('an unknown event type is refused before any request', async (t) => {
  const answer = await runOverApi({}, 'trigger link.gone');
  t.match(answer, { status: 2, stderr: /'link\.gone' is invalid for argument 'type'.*click\.created/ });
});

t.test('if the address of the API redirects, one line says where to, and nothing is sent there', async (t) => {
  const { origin } = await serveHttp(t, (_, response) => response.writeHead(301, { location: 'https://links.example.com/v1' }).end());
  t.match(await runOverApi({ apiKey: 'sk_test_x', baseUrl: origin }, 'trigger link.created'), {
    status: 1,
    stderr: `linkd: ${origin} redirects to https://links.example.com/v1; pass the address of the API itself\n`,
  });
});
