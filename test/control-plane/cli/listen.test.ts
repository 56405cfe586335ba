import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { verifyWebhook } from '../../../shared/sdk/verify-webhook.js';
import { buildEvent, eventColumns } from '../../../shared/webhooks/body.js';
import { sampleData } from '../../../shared/webhooks/samples.js';
import { send } from '../../api/api-client.js';
import { type ApiServer, startApiServer } from '../../api/api-server.js';
import { collectGarbageOften } from '../../support/collect-garbage-often.js';
import { serveHttp } from '../../support/serve-http.js';
import { until } from '../../support/until.js';
import { startReceiver } from '../../support/webhook-receiver.js';
import { followOverApi, runOverApi } from './api-command-line.js';

const LINKD = fileURLToPath(new URL('../../../../control-plane/cli/linkd.mjs', import.meta.url));

const defaultsOf = (api: ApiServer) => ({ apiKey: api.liveKey, baseUrl: api.baseUrl });
const makeLink = (api: ApiServer, key = api.liveKey) => send(api.baseUrl, 'POST /links', { key, body: {} });

t.test('listen forwards each event of the environment as the service delivers it, signed with the printed secret', async (t) => {
  const api = await startApiServer(t);
  let status = 200;
  const receiver = await startReceiver(t, (response) => response.writeHead(status).end('a long answer'));
  const listening = await followOverApi(t, defaultsOf(api), `listen --forward-to ${receiver.origin.slice('http://'.length)}/hook`);
  const secret = /signed with (whsec_[0-9a-f]{32})\n/.exec(listening.stderr())?.[1] as string;
  receiver.trust(secret);
  await makeLink(api, api.testKey);
  await makeLink(api);
  const [line] = await listening.untilLines(1);
  const { rows } = await api.database.query<{ id: string; body: string }>({
    text: 'SELECT id, body FROM events WHERE environment_id = $1',
    values: [api.live.id],
  });
  const [received] = receiver.received;
  t.equal(received?.body, rows[0]?.body, 'the body is the one that an endpoint gets');
  t.equal(received?.path, '/hook');
  t.match(received?.headers, {
    'content-type': 'application/json',
    'user-agent': 'Service-Webhooks/1',
    'x-service-event': 'link.created',
    'x-service-delivery': /^whd_/,
  });
  t.equal(verifyWebhook(received?.body ?? '', received?.headers['x-service-signature'], secret).id, rows[0]?.id);
  t.match(line, new RegExp(`link\\.created +${rows[0]?.id} +-> 200 \\(\\d+ ms\\)$`));
  status = 302;
  await send(api.baseUrl, 'POST /events/trigger', { key: api.liveKey, body: { type: 'domain.failed' } });
  t.match((await listening.untilLines(2))[1], /domain\.failed +evt_\w+ +test +-> 302/);
  t.equal(receiver.received.length, 2, 'a redirect is not followed');
  t.equal(await listening.interrupt(), 0);
  t.match(listening.stderr(), /\nevents: 2, not accepted: 1\n$/);
  t.match(await runOverApi(defaultsOf(api), 'listen --print-secret'), { status: 0, stdout: `${secret}\n` });
});

t.test('listen prints each event once, even one that is committed late, and clicks only if they are requested', async (t) => {
  const api = await startApiServer(t);
  const all = await followOverApi(t, defaultsOf(api), '--json listen --events all');
  const some = await followOverApi(t, defaultsOf(api), 'listen');
  const emit = (type: 'link.created' | 'click.created', atMs: number) => {
    const origin = { environment_id: api.live.id, environment: 'live', at_ms: atMs } as const;
    const event = buildEvent(origin, type, sampleData(type, 'live', atMs) as never);
    return api.database.query({ text: 'SELECT insert_events($1, $2, $3, $4, $5)', values: eventColumns([event]) });
  };
  await makeLink(api);
  await all.untilLines(1);
  await emit('click.created', Date.now());
  await all.untilLines(2);
  await emit('link.created', Date.now() - 400);
  const lines = (await all.untilLines(3)).map((line) => JSON.parse(line));
  t.same(
    lines.map(({ type, forwarded }) => [type, forwarded]),
    [
      ['link.created', null],
      ['click.created', null],
      ['link.created', null],
    ],
  );
  await some.untilLines(2);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  t.equal((await all.untilLines(3)).length, 3, 'each event is printed once');
  t.notMatch(some.stdout(), /click\.created/);
  const { rows } = await api.database.query({ text: 'SELECT environment_id FROM click_listeners', values: [] });
  t.same(rows, [{ environment_id: api.live.id }], 'events of clicks are requested from the service');
  t.equal(await some.interrupt(), 0);
  t.match(some.stderr(), /\nevents: 2\n$/);
});

t.test('listen prints an event that is committed late behind more newer ones than a page has', async (t) => {
  const api = await startApiServer(t);
  const listening = await followOverApi(t, defaultsOf(api), '--json listen --events all');
  await new Promise((resolve) => setTimeout(resolve, 500));
  const late = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 500));
  const emit = (times: readonly number[]) => {
    const events = times.map((at_ms) =>
      buildEvent(
        { environment_id: api.live.id, environment: 'live', at_ms },
        'link.created',
        sampleData('link.created', 'live', at_ms) as never,
      ),
    );
    return api.database.query({ text: 'SELECT insert_events($1, $2, $3, $4, $5)', values: eventColumns(events) });
  };
  const now = Date.now();
  await emit(Array.from({ length: 230 }, () => now));
  await listening.untilLines(230);
  await emit([late]);
  const lines = (await listening.untilLines(231)).map((line) => JSON.parse(line));
  t.equal(Date.parse(lines[230].created_at), late);
  t.equal(new Set(lines.map(({ id }) => id)).size, 231, 'each event is printed once');
});

t.test('listen ends if the server is away at the start, and tries again if it goes away later', async (t) => {
  t.match(await runOverApi({ apiKey: 'sk_test_x', baseUrl: 'http://127.0.0.1:1/v1' }, 'listen'), {
    status: 4,
    stderr: /^linkd: http:\/\/127\.0\.0\.1:1\/v1 cannot be reached: .*\n$/,
  });
  const api = await startApiServer(t);
  const listening = await followOverApi(t, defaultsOf(api), 'listen');
  api.drain();
  await until(() => listening.stderr().includes('503 service_unavailable'), 'the message about the failure');
  t.match(listening.stderr(), /; trying again\n$/);
  t.equal(await listening.interrupt(), 0);
});

t.test('Ctrl-C ends listen also while an answer comes, whenever garbage is collected', { timeout: 30_000 }, async (t) => {
  let asked = 0;
  const { origin } = await serveHttp(t, (_, response) => {
    asked++;
    response.write('{"data":[],"next_cursor":null');
    if (asked === 1) response.end('}');
  });
  const listening = await followOverApi(t, { apiKey: 'sk_test_x', baseUrl: origin }, 'listen');
  collectGarbageOften(t);
  await until(() => asked === 2, 'the second call');
  await new Promise((resolve) => setTimeout(resolve, 300));
  t.equal(await listening.interrupt(), 0);
});

t.test('a wrong command line or key gives one line and an exit code', async (t) => {
  const api = await startApiServer(t);
  const credentials = JSON.stringify({ base_url: api.baseUrl, test: { secret_key: api.testKey } });
  const folder = t.testdir({ local: { 'credentials.json': credentials }, damaged: { 'credentials.json': 'none' } });
  const reader = await api.makeKey('live', ['links:read']);
  for (const [defaults, line, status, said] of [
    [{}, 'listen', 2, /no API key was found/],
    [{ apiKey: 'sk_test_x' }, 'listen', 2, /no API address was found/],
    [{ ...defaultsOf(api), apiKey: 'sk_test_x\nsk_test_y' }, 'listen', 2, /^linkd: the API key contains a character that no key has/],
    [{ apiKey: 'sk_test_x' }, 'listen --base-url localhost', 2, /is not the address of an API/],
    [defaultsOf(api), 'listen --events link.created,link.gone', 2, /there is no event type "link\.gone"/],
    [{ apiKey: 'sk_test_x' }, 'listen --base-url ftp://localhost/v1', 2, /is not the address of an API/],
    [{ apiKey: 'sk_test_x' }, 'listen --base-url http://me:secret@localhost/v1', 2, /is not the address of an API/],
    [defaultsOf(api), 'listen --forward-to http://', 2, /is not a URL/],
    [defaultsOf(api), 'listen --forward-to ftp://localhost/hook', 2, /is not a URL/],
    [defaultsOf(api), 'listen --forward-to 99999', 2, /is not a URL/],
    [defaultsOf(api), 'listen --forward-to http://me:secret@localhost/hook', 2, /is not a URL/],
    [defaultsOf(api), 'listen --api-key sk_live_nonsense', 1, /returned 401 unauthorized/],
    [defaultsOf(api), `listen --api-key ${reader.key}`, 1, /returned 403 insufficient_scope/],
    [defaultsOf(api), `listen --base-url ${api.baseUrl.replace('/v1', '/v2')}`, 3, /returned 404 not_found/],
    [{ dataDir: `${folder}/local` }, 'listen --live', 2, /--live uses the key in .*: start the service, or/],
    [{ dataDir: `${folder}/damaged` }, 'listen', 2, /no API key was found/],
  ] as const) {
    const answer = await runOverApi(defaults, line);
    t.match(answer, { status, stderr: said, stdout: '' }, line);
    t.match(answer.stderr, /^linkd: [^\n]*\n$/, 'the error is one line');
  }
  const beside = await followOverApi(t, { dataDir: `${folder}/local` }, 'listen');
  t.ok(beside.stderr().includes(api.baseUrl), 'listen needs no options beside a local start');
});

t.test('a number to forward to is a port of this machine', async (t) => {
  const api = await startApiServer(t);
  const listening = await followOverApi(t, defaultsOf(api), 'listen --forward-to 4242');
  t.match(listening.stderr(), 'Events are sent to http://localhost:4242/, signed with');
});

t.test('Ctrl-C ends the process with 0 and without a stack trace', async (t) => {
  const api = await startApiServer(t);
  const env = { ...process.env, LINKD_API_KEY: api.liveKey, LINKD_BASE_URL: api.baseUrl };
  const child = spawn(process.execPath, [LINKD, 'listen'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  await until(() => said.includes('Ctrl-C'), 'the command to listen');
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  t.equal(code, 0);
  t.match(said, /\nevents: 0\n$/);
});
