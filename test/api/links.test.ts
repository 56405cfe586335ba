import t from 'tap';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

t.test('a link is created with defaults, and read as it was answered', async (t) => {
  const api = await startApiServer(t);
  const created = await call(t, api.baseUrl, 'POST /links', { key: api.liveKey, body: {} });
  t.equal(created.status, 201);
  t.match(created.json, { deep_link_path: '/', status: 'active', environment: 'live', data: null, expires_at: null });
  t.match(created.json.path, /^[A-Za-z0-9]{7}$/);
  t.equal(created.json.url, `https://go.example.com/${created.json.path}`);
  t.equal(created.headers.get('location'), `/v1/links/${created.json.id}`);
  t.equal(api.pokes(), 1);
  const read = await call(t, api.baseUrl, `GET /links/${created.json.id}`, { key: api.liveKey });
  t.equal(read.text, created.text);
  const list = await call(t, api.baseUrl, 'GET /links', { key: api.liveKey });
  t.same(list.json, { data: [created.json], next_cursor: null });
});
