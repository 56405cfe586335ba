import { pino } from 'pino';
import t from 'tap';
import { importBlocklist } from '../../../control-plane/blocklist/import.js';
import { createBlocklistScan } from '../../../control-plane/jobs/blocklist-scan.js';
import { send } from '../../api/api-client.js';
import { startApiServer } from '../../api/api-server.js';
import { until } from '../../support/until.js';

const log = pino({ level: 'silent' });

t.test('links to a listed host are blocked soon after the import, and the feed is notified', async (t) => {
  const api = await startApiServer(t);
  const body = { destinations: { web: 'https://later.example/' } };
  const { id } = (await send(api.baseUrl, 'POST /links', { key: api.liveKey, body })).json;
  let told = 0;
  const job = createBlocklistScan({
    database: api.database,
    log,
    clock: Date.now,
    form: { scheme: 'https', port: 0 },
    feedChanged: () => told++,
    intervalMs: 20,
  });
  job.start();
  async function* chunks() {
    yield Buffer.from('later.example');
  }
  await importBlocklist(api.database, { name: 'test', format: 'plain', chunks: chunks(), strict: false });
  await until(
    async () => (await send(api.baseUrl, `GET /links/${id}`, { key: api.liveKey })).json.status === 'blocked',
    'the link to be blocked',
  );
  await job.stop();
  t.equal(job.stats().failures, 0);
  t.equal(told, 1);
  t.equal(job.health().ok, true);
});

t.test('health reports after some minutes that the database is away', async (t) => {
  let now = 0;
  const fail = () => Promise.reject(new Error('away'));
  const away = { query: fail, transaction: fail, copyOut: fail };
  const job = createBlocklistScan({ database: away, log, clock: () => now, form: { scheme: 'https', port: 0 }, feedChanged: () => {} });
  job.start();
  await until(() => job.stats().failures === 1, 'the first failure');
  t.equal(job.health().ok, true);
  now = 600_000;
  t.match(job.health(), { part: 'blocklist-scan', ok: false, reason: /since 1970-01-01/ });
  await job.stop();
});
