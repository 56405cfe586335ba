import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import type { FigureRow } from '../../../engine/preview/figures.js';
import { type Ask, frame, MESSAGE_BYTES_MAX, type Reply, type ServerMessage, Unframer } from '../../../engine/preview/messages.js';
import { PreviewClient } from '../../../engine/preview/preview-client.js';
import { PreviewServer } from '../../../engine/preview/preview-server.js';
import { announceSocket, findSocket, newSocketPath, removeSocket } from '../../../engine/preview/socket-place.js';
import { until } from '../../support/until.js';
import { silentLog } from '../fixtures.js';
import { rememberedAnswer } from './fixtures.js';

interface Caller {
  readonly service: PreviewServer;
  readonly asked: { readonly ask: Ask; reply(reply: Reply): void }[];
  readonly counted: FigureRow[];
}

async function startCaller(t: Test, dataDir: string): Promise<Caller> {
  const asked: Caller['asked'] = [];
  const counted: FigureRow[] = [];
  const service = new PreviewServer({
    dataDir,
    log: silentLog,
    onAsk: (ask, reply) => void asked.push({ ask, reply }),
    onCounted: (rows) => void counted.push(...rows),
  });
  await service.start();
  t.teardown(() => service.stop());
  return { service, asked, counted };
}

function startClient(t: Test, dataDir: string): PreviewClient {
  const client = new PreviewClient({ dataDir, log: silentLog, random: () => 0 });
  client.start();
  t.teardown(() => client.stop());
  return client;
}

const question = (item: string, waitMs = 1000) => ({
  resource_type_id: 'rt_1',
  generation: 1,
  item_id: item,
  wait_ms: waitMs,
  ahead: false,
});

t.test('each question gets its own answer in any order, also with a long DATA_DIR', async (t) => {
  const dataDir = join(t.testdir(), 'x'.repeat(200));
  mkdirSync(dataDir);
  const { asked, service } = await startCaller(t, dataDir);
  const path = findSocket(dataDir) as string;
  t.equal(statSync(dirname(path)).mode & 0o777, 0o700, 'no other user of the machine can use the socket');
  const client = startClient(t, dataDir);
  const reply: [string, Reply][] = [];
  for (const item of ['a', 'b', 'é"\u{1f600}']) client.ask(question(item), (answer) => reply.push([item, answer]));
  await until(() => asked.length === 3, 'three questions');
  t.match(asked[2]?.ask, { item_id: 'é"\u{1f600}', generation: 1, ahead: false });
  const answer = rememberedAnswer({ title: 'x'.repeat(20_000) });
  asked[1]?.reply({ kind: 'answer', answer, source: 'api', called: true, epoch: 3 });
  asked[0]?.reply({ kind: 'none', called: false });
  await until(() => reply.length === 2, 'two answers');
  t.strictSame(reply[0], ['b', { kind: 'answer', answer, source: 'api', called: true, epoch: 3 }]);
  t.strictSame(reply[1], ['a', { kind: 'none', called: false }]);
  t.same(client.stats(), { state: 'open', asks: 1 });
  t.equal(service.clients, 1);
  service.stop();
  t.equal(existsSync(path), false);
});

t.test('after the calling process ends its successor is asked, and questions that are past their deadline are given up', async (t) => {
  const dataDir = t.testdir();
  const first = await startCaller(t, dataDir);
  const client = startClient(t, dataDir);
  const reply: [string, Reply][] = [];
  client.ask(question('waits', 60_000), (answer) => reply.push(['waits', answer]));
  client.ask(question('does not', 0), (answer) => reply.push(['does not', answer]));
  await until(() => first.asked.length === 2, 'the questions');
  first.service.stop();
  await until(() => reply.length === 1, 'the second question to end');
  t.strictSame(reply, [['does not', { kind: 'none', called: false }]]);
  const second = await startCaller(t, dataDir);
  await until(() => second.asked.length === 1, 'the successor to be asked');
  t.match(second.asked[0]?.ask, { item_id: 'waits' });
  t.ok((second.asked[0]?.ask.wait_ms ?? 0) < 60_000, 'only the rest of the time is given');
  second.asked[0]?.reply({ kind: 'again', called: false });
  await until(() => reply.length === 2, 'the answer of the successor');
});

t.test('questions beyond the limit are refused', async (t) => {
  const client = startClient(t, t.testdir());
  let accepted = 0;
  for (let n = 0; n < 3000; n++) if (client.ask(question(String(n)), () => {})) accepted++;
  t.equal(accepted, 1024);
});

t.test('figures are sent every second, and the last ones before the end', async (t) => {
  const dataDir = t.testdir();
  const { counted, service } = await startCaller(t, dataDir);
  const client = startClient(t, dataDir);
  await until(() => client.stats().state === 'open', 'the connection');
  for (let n = 0; n < 250; n++) client.figures.count(`rt_${n}`, 'previews_served');
  await until(() => counted.length === 250, 'the figures', 5000);
  client.figures.count('rt_0', 'previews_served', 2);
  await client.stop();
  t.strictSame(counted.at(-1), { resource_type_id: 'rt_0', counts: { previews_served: 2 } });
  t.equal(service.clients, 0);
  t.ok(client.figures.isEmpty());
});

t.test('figures are kept while no caller process listens', async (t) => {
  const client = startClient(t, t.testdir());
  client.figures.count('rt_1', 'previews_served');
  await client.stop();
  t.equal(client.figures.isEmpty(), false);
});

t.test('messages are assembled from pieces of any size', async (t) => {
  const messages: ServerMessage[] = Array.from({ length: 20 }, (_, id) => ({ id, reply: { kind: 'none', called: id % 2 === 0 } }));
  const bytes = Buffer.concat(messages.map(frame));
  for (const size of [1, 3, 7, bytes.length]) {
    const unframer = new Unframer<ServerMessage>();
    const read: ServerMessage[] = [];
    for (let at = 0; at < bytes.length; at += size) read.push(...unframer.take(bytes.subarray(at, at + size)));
    t.strictSame(read, messages, `${size} bytes`);
  }
  const unframer = new Unframer<ServerMessage>();
  t.throws(() => [...unframer.take(Buffer.from([255, 255, 255, 0]))], { name: 'InvariantError' });
  t.ok(MESSAGE_BYTES_MAX > 40_000);
});

t.test('the socket of an earlier process is removed, and no other file is', async (t) => {
  const dataDir = t.testdir();
  const [first, second] = [newSocketPath(), newSocketPath()];
  announceSocket(dataDir, first);
  announceSocket(dataDir, second);
  t.strictSame([existsSync(dirname(first)), existsSync(dirname(second)), findSocket(dataDir)], [false, true, second]);
  const foreign = join(t.testdir({ folder: {} }), 'folder', 'socket');
  writeFileSync(foreign, '');
  removeSocket(foreign);
  t.ok(existsSync(foreign));
  removeSocket(second);
  t.equal(findSocket(t.testdir()), null);
  t.rejects(new Promise((_, reject) => connect(second).on('error', reject)), { code: 'ENOENT' });
});

t.test('questions about one resource type, whose API hangs, leave room for those about others', async (t) => {
  const client = startClient(t, t.testdir());
  const ask = (type: string, item: number) => client.ask({ ...question(`item-${item}`), resource_type_id: type }, () => undefined);
  const askedOf = (type: string) => Array.from({ length: 2500 }, (_, item) => ask(type, item)).filter(Boolean).length;
  t.equal(askedOf('rt_hung'), 1024);
  t.ok(ask('rt_other', 1));
  t.ok(askedOf('rt_too') > 300);
  t.ok(ask('rt_third', 1), 'nor do two such types take all of it');
});
