import { once } from 'node:events';
import { copyFileSync, mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { openClickSpool } from '../../../engine/spool/click-spool.js';
import { SEGMENT_BYTES_MIN } from '../../../engine/spool/segment.js';
import { newId } from '../../../shared/base/ids.js';
import { ClickHouse } from '../../../shared/clickhouse/connection.js';
import { connect, makeEnvironment, makeFlusher } from '../../support/click-log.js';
import { countStored, openClickHouse, type TestClickHouse } from '../../support/clickhouse.js';
import { makeClick, segmentNames } from '../../support/clicks.js';
import { createDatabase } from '../../support/database.js';
import { TEST_SPOOL_KEYS } from '../../support/spool-keys.js';
import { until } from '../../support/until.js';

const store = await openClickHouse(t);
if (store !== null) await tests(store);

async function tests(store: TestClickHouse): Promise<void> {
  const database = await createDatabase();
  const client = await connect(database.url);
  t.teardown(async () => {
    await client.end();
    await database.drop();
  });
  const environment = await makeEnvironment(client);

  /** Stands before the server, and asks about each insertion before it is handed on, and before it is answered. */
  async function gate(before: () => Promise<void>, after: () => Promise<void>): Promise<string> {
    const server = createServer((request, response) => void pass(request, response).catch(() => response.destroy()));
    async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const isInsertion = request.url?.includes('insert_deduplication_token') === true;
      if (isInsertion) await before();
      const answer = await fetch(new URL(request.url ?? '/', store.url), { method: 'POST', body: Buffer.concat(parts) });
      const text = await answer.text();
      if (isInsertion) await after();
      response.statusCode = answer.status;
      response.end(text);
    }
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const one = async (text: string): Promise<number> => Number((await client.query(text)).rows[0].value);
  const intents = () => one('SELECT count(*) AS value FROM click_intents');

  t.test('a shipper that can read a part of an intent, while another one stores all of it, loses none of its clicks', async (t) => {
    const [dir, seen] = [join(t.testdir(), 'all'), join(t.testdir(), 'part')];
    for (const part of [0, 1]) {
      const spool = openClickSpool({
        dir,
        bytesMax: 256 * 1024 * 1024,
        mapped: true,
        keys: TEST_SPOOL_KEYS,
        clock: Date.now,
        segmentBytes: SEGMENT_BYTES_MIN,
      });
      const occurred_at_ms = Date.now();
      for (let index = 0; index < 500; index++)
        spool.append(
          makeClick({ environment_number: environment.number, subject_id: newId('link'), path: `p${part}-${index}`, occurred_at_ms }),
        );
      spool.stop();
    }
    // The engine that takes over opens the segments of processes that have ended, and not yet those of the others.
    mkdirSync(seen, { mode: 0o700 });
    const first = segmentNames(dir)[0] as string;
    copyFileSync(join(dir, first), join(seen, first));

    let partIsStored = false;
    const wholeUrl = await gate(
      async () => {
        await until(() => partIsStored, 'the part to be stored');
      },
      async () => {},
    );
    const partUrl = await gate(
      async () => {},
      async () => {
        partIsStored = true;
        await until(async () => (await intents()) === 0, 'the other shipper to note all of it');
      },
    );
    const [whole, part] = [wholeUrl, partUrl].map((url, index) => {
      const clickHouse = new ClickHouse({ url, timeoutMs: 20_000, application: 'test' });
      t.teardown(() => clickHouse.close());
      return makeFlusher({ databaseUrl: database.url, dir: index === 0 ? dir : seen, clickHouse, keepMs: 0 });
    }) as [ReturnType<typeof makeFlusher>, ReturnType<typeof makeFlusher>];
    whole.start();
    await until(async () => (await intents()) === 2, 'the intent');
    part.start();
    await until(() => segmentNames(dir).length === 0 && segmentNames(seen).length === 0, 'empty spools');
    await Promise.all([whole.stop(), part.stop()]);
    t.equal(await one('SELECT sum(shipped_clicks) AS value FROM click_segments'), 1000, 'PostgreSQL has noted all of them as stored');
    t.same(await countStored(store), { rows: 1000, ids: 1000 });
  });
}
