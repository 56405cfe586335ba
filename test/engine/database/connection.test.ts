import { createServer } from 'node:net';
import t from 'tap';
import { createConnection, endConnection } from '../../../engine/database/connection.js';
import { serverUrl } from '../../support/database.js';

t.test('a statement beyond its time limit is an error, and ending the connection does not wait for it', async (t) => {
  const client = createConnection(serverUrl(), 'link-service test', { queryMs: 50 });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query("SELECT current_setting('application_name') AS name");
  t.strictSame(rows, [{ name: 'link-service test' }]);
  const started = performance.now();
  await t.rejects(client.query('SELECT pg_sleep(60)'));
  endConnection(client, (error) => t.fail(String(error)));
  t.ok(performance.now() - started < 20_000);
});

t.test('connecting to a server that accepts and sends nothing fails after a time limit', async (t) => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.teardown(() => silent.close());
  const { port } = silent.address() as { port: number };
  const client = createConnection(`postgres://nobody@127.0.0.1:${port}/none`, 'test', { connectMs: 100 });
  client.on('error', () => undefined);
  const started = performance.now();
  await t.rejects(client.connect());
  t.ok(performance.now() - started < 20_000);
  endConnection(client, () => undefined);
});
