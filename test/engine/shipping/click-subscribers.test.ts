import pg from 'pg';
import t from 'tap';
import { readClickSubscribers } from '../../../engine/shipping/sql.js';
import { createDatabase } from '../../support/database.js';

/** Returns the statement that the shipper sends. */
async function statement(): Promise<string> {
  let text = '';
  const client = {
    query: async (sent: pg.QueryConfig) => {
      text = sent.text;
      return { rows: [] };
    },
  };
  await readClickSubscribers(client as unknown as pg.ClientBase, []);
  return text;
}

t.test('the subscribers of clicks are found with an index, however many endpoints there are', async (t) => {
  const own = await createDatabase();
  const client = new pg.Client({ connectionString: own.url });
  await client.connect();
  t.teardown(async () => {
    await client.end();
    await own.drop();
  });
  await client.query("INSERT INTO projects (id, name, time_zone) VALUES ('p', 'p', 'UTC')");
  await client.query(`INSERT INTO environments (id, project_id, name, link_host, open_host)
    VALUES ('e', 'p', 'live', 'a.example.com', 'open.a.example.com'), ('f', 'p', 'test', 'b.example.com', 'open.b.example.com')`);
  await client.query(`INSERT INTO webhook_endpoints (id, environment_id, url, events, status, secret, created_at, updated_at)
    SELECT lpad(number::text, 6, '0'), CASE WHEN number % 2 = 0 THEN 'e' ELSE 'f' END, 'https://hooks.example.com/' || number,
      CASE WHEN number % 10000 IN (0, 1) THEN '{link.created,click.created}'::text[] ELSE '{link.created,link.updated}' END,
      CASE WHEN number % 10000 = 1 THEN 'disabled' ELSE 'active' END, '', now(), now()
    FROM generate_series(1, 50000) AS number`);
  await client.query('ANALYZE webhook_endpoints');
  const { rows: environments } = await client.query<{ number: number }>('SELECT number FROM environments ORDER BY id');
  const numbers = environments.map(({ number }) => number);
  const explained = { text: `EXPLAIN ${await statement()}`, values: [numbers] };
  const { rows: plan } = await client.query<Record<string, string>>(explained);
  const lines = plan.map((row) => String(row['QUERY PLAN'])).join('\n');
  t.match(lines, 'webhook_endpoints_of_clicks');
  t.notMatch(lines, 'Seq Scan on webhook_endpoints');
  const found = async (of: readonly number[]) => (await readClickSubscribers(client, of)).map(({ webhook_id }) => webhook_id).toSorted();
  t.same(await found(numbers), ['010000', '020000', '030000', '040000', '050000']);
  t.same(await found([numbers[1] as number]), [], 'those of other environments are not read');
});
