import t from 'tap';
import { send } from '../../api/api-client.js';
import { startApiServer } from '../../api/api-server.js';
import { followOverApi, runOverApi } from './api-command-line.js';

t.test('deliveries tail prints each attempt once when it ends, with its outcome', async (t) => {
  const api = await startApiServer(t);
  const defaults = { apiKey: api.liveKey, baseUrl: api.baseUrl };
  const make = async (path: string) =>
    (
      await send(api.baseUrl, 'POST /webhooks', {
        key: api.liveKey,
        body: { url: `https://hooks.example.com/${path}`, events: ['link.created'] },
      })
    ).json.id;
  const [one, other] = [await make('a'), await make('b')];
  const test = async (webhook: string) => (await send(api.baseUrl, `POST /webhooks/${webhook}/test`, { key: api.liveKey })).json.id;
  const end = (delivery: string, sql: string) =>
    api.database.query({ text: `UPDATE webhook_deliveries SET ${sql}, due_at = NULL WHERE id = $1`, values: [delivery] });
  await end(await test(one), "status = 'succeeded'");
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const all = await followOverApi(t, defaults, 'deliveries tail');
  const failed = await followOverApi(t, defaults, '--json deliveries tail --status failed');
  const single = await followOverApi(t, defaults, `deliveries tail --webhook ${other}`);
  const [first, second] = [await test(one), await test(other)];
  await end(
    first,
    "status = 'retrying', kind = 'automatic', attempt = 2, response_code = 500, latency_ms = 12, next_attempt_at = '2030-01-01T00:00:00Z'",
  );
  t.match(
    (await all.untilLines(1))[0],
    new RegExp(`retrying +link\\.created +${one} +attempt 2 +500 +12 ms +next at 2030-01-01T00:00:00\\.000Z$`),
    'only attempts that end after the start are printed',
  );
  await end(second, "status = 'failed', response_code = 200, error = 'timeout', latency_ms = 10003");
  t.match((await all.untilLines(2))[1], new RegExp(`failed +link\\.created +${other} +test +200 timeout +10003 ms$`));
  t.match((await single.untilLines(1))[0], other);
  const [line] = await failed.untilLines(1);
  t.match(JSON.parse(line as string), { id: second, status: 'failed', error: 'timeout' });
  for (const following of [all, failed, single]) t.equal(await following.interrupt(), 0);
  t.equal((await all.untilLines(2)).length, 2);
  t.match(await runOverApi(defaults, 'deliveries tail --webhook wh_01jd4v6xq8e5s0m3k7n9p2r4tw'), { status: 3, stderr: /returned 404/ });
});

t.test('deliveries tail goes on if one of the endpoints is deleted, and ends if it follows only that one', async (t) => {
  const api = await startApiServer(t);
  const defaults = { apiKey: api.liveKey, baseUrl: api.baseUrl };
  const ask = async (line: string, body?: object) => (await send(api.baseUrl, line, { key: api.liveKey, ...(body && { body }) })).json;
  const make = async (path: string) =>
    (await ask('POST /webhooks', { url: `https://hooks.example.com/${path}`, events: ['link.created'] })).id;
  const end = (id: string) =>
    api.database.query({ text: `UPDATE webhook_deliveries SET status = 'succeeded', due_at = NULL WHERE id = $1`, values: [id] });
  const [kept, deleted] = [await make('a'), await make('b')];
  const all = await followOverApi(t, defaults, 'deliveries tail');
  for (const webhook of [deleted, kept]) await end((await ask(`POST /webhooks/${webhook}/test`)).id);
  await all.untilLines(2);
  await ask(`DELETE /webhooks/${deleted}`);
  await new Promise((resolve) => setTimeout(resolve, 2500));
  await end((await ask(`POST /webhooks/${kept}/test`)).id);
  t.match((await all.untilLines(3))[2], kept);
  t.equal(await all.interrupt(), 0);
  t.match(await runOverApi(defaults, `deliveries tail --webhook ${deleted}`), { status: 3, stderr: /returned 404/ });
});
