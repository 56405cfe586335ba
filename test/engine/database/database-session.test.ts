import { createServer, type Socket } from 'node:net';
import t from 'tap';
import { DatabaseSession } from '../../../engine/database/database-session.js';
import { serverUrl } from '../../support/database.js';
import { until } from '../../support/until.js';
import { silentLog } from '../fixtures.js';

const sessionOn = (databaseUrl: string) => new DatabaseSession({ databaseUrl, name: 'link-service session', limits: {}, log: silentLog });

t.test('a connection is used until it is discarded or breaks, and then another one is opened', async (t) => {
  const session = sessionOn(serverUrl());
  t.teardown(() => session.discard());
  t.equal(session.isOpen, false);
  const first = await session.client();
  t.equal(await session.client(), first);
  session.discard();
  t.equal(session.isOpen, false);
  const second = await session.client();
  t.not(second, first);
  await t.rejects(second.query('SELECT pg_terminate_backend(pg_backend_pid())'));
  await until(() => !session.isOpen, 'the loss to be noticed');
  t.not(await session.client(), second);
});

t.test('the attempt to open a connection fails when it is discarded, even if the server ends it without a word', async (t) => {
  const sockets: Socket[] = [];
  // Sends nothing, and closes when the other side does.
  const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined).resume()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as { port: number };
  const session = sessionOn(`postgres://nobody@127.0.0.1:${port}/none`);
  const opening = session.client();
  await until(() => sockets.length === 1, 'the connection');
  session.discard();
  await t.rejects(opening, /discarded/);
  t.equal(session.isOpen, false);
});
