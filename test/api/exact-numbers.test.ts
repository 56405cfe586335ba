import t from 'tap';
import { call, send } from './api-client.js';
import { startApiServer } from './api-server.js';

/** JSON that `JSON.stringify` could not write: a double cannot hold the integer. */
const INEXACT = '{"order":{"ids":[1,9007199254740993]}}';

t.test('an integer that would be changed is 422 at its pointer, wherever custom data enters', async (t) => {
  const api = await startApiServer(t);
  const post = async (path: string, key: string, body: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const [method, address] = path.split(' ') as [string, string];
    const response = await fetch(`${api.baseUrl}${address}`, { method, headers, body });
    return { status: response.status, json: (await response.json()) as { errors: unknown; results: { error: { errors: unknown } }[] } };
  };
  const refusal = (pointer: string) => [{ in: 'body', pointer, code: 'number_not_exact' }];
  const link = (await call(t, api.baseUrl, 'POST /links', { key: api.liveKey, body: { data: { safe: Number.MAX_SAFE_INTEGER } } })).json;
  const type = await send(api.baseUrl, 'POST /resource-types', { key: api.liveKey, body: { key: 'product', name: 'Product' } });
  const template = `{"resource_type_id":"${type.json.id}","path_pattern":"/p/{id}","id_format":{"kind":"preset","preset":"numeric"},"deep_link_path":"/p/{id}","data":${INEXACT}}`;
  for (const [path, key, body, pointer] of [
    ['POST /links', api.liveKey, `{"data":${INEXACT}}`, '/data/order/ids/1'],
    [`PATCH /links/${link.id}`, api.liveKey, `{"data":${INEXACT}}`, '/data/order/ids/1'],
    ['POST /url-templates', api.liveKey, template, '/data/order/ids/1'],
    ['POST /sdk/links', api.liveAppKey, `{"data":${INEXACT}}`, '/data/order/ids/1'],
    ['POST /events', api.liveKey, `{"name":"purchase","properties":${INEXACT}}`, '/properties/order/ids/1'],
    ['POST /sdk/events', api.liveAppKey, `{"name":"purchase","properties":${INEXACT}}`, '/properties/order/ids/1'],
    ['POST /events', api.liveKey, '{"name":"purchase","value":-9007199254740993}', '/value'],
    ['POST /links', api.liveKey, '{"max_clicks":9007199254740993}', '/max_clicks'],
  ] as const) {
    const { status, json } = await post(path, key, body);
    t.equal(status, 422, path);
    t.match(json.errors, refusal(pointer), path);
  }
  const bulk = await post('POST /links/bulk', api.liveKey, `{"links":[{},{"data":${INEXACT}}]}`);
  t.match(bulk.json.results, [{ status: 201 }, { status: 422, error: { errors: refusal('/links/1/data/order/ids/1') } }]);
  t.same((await call(t, api.baseUrl, `GET /links/${link.id}`, { key: api.liveKey })).json, link, 'nothing was changed');
});
