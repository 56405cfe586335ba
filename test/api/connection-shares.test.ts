import t from 'tap';
import { call, send } from './api-client.js';
import { startApiServer } from './api-server.js';

/**
 * Tests that calls of one environment that wait in PostgreSQL, here for a row that somebody has locked, leave connections for the calls of
 * another one. Without shares, the calls of both wait, and all are 503 after two seconds.
 */
t.test('an environment whose calls wait for each other does not hold up the calls of another one', async (t) => {
  const api = await startApiServer(t);
  const body = { deep_link_path: '/a' };
  const { json: link } = await call(t, api.baseUrl, 'POST /links', { key: api.liveKey, body });
  const changes: Promise<{ readonly status: number }>[] = [];
  await api.database.transaction(async (locker) => {
    await locker.query({ text: 'SELECT FROM links WHERE id = $1 FOR UPDATE', values: [link.id] });
    for (let change = 0; change < 40; change++)
      changes.push(send(api.baseUrl, `PATCH /links/${link.id}`, { key: api.liveKey, body: { title: `title ${change}` } }));
    // The changes wait for the row by now.
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (let count = 0; count < 2; count++) {
      t.equal((await call(t, api.baseUrl, 'GET /links', { key: api.testKey })).status, 200);
      t.equal((await call(t, api.baseUrl, 'POST /links', { key: api.testKey, body })).status, 201);
    }
  });
  const statuses = (await Promise.all(changes)).map(({ status }) => status);
  t.same([...new Set(statuses)], [200], 'every change is made when the row is free');
});
