import t from 'tap';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);

t.test('a key reads what it may do, and its environment says how links are shown', async (t) => {
  const all = await call(t, api.baseUrl, 'GET /key', { key: api.liveKey });
  t.match(all.json, { id: /^key_/, environment: 'live', scopes: ['links:read', 'links:write', 'analytics:read', 'webhooks:write'] });
  const link = await call(t, api.baseUrl, 'POST /links', { key: api.liveKey, body: {} });
  const { json } = await call(t, api.baseUrl, 'GET /environment', { key: api.liveKey });
  t.equal(new URL(link.json.url).origin, json.link_origin);
});

t.test('one with a single scope names that one, and a publishable key is refused', async (t) => {
  const { key } = await api.makeKey('live', ['analytics:read']);
  t.same((await call(t, api.baseUrl, 'GET /key', { key })).json.scopes, ['analytics:read']);
  t.equal((await call(t, api.baseUrl, 'GET /key', { key: api.liveAppKey })).status, 403);
  t.equal((await call(t, api.baseUrl, 'GET /key', {})).status, 401);
});
