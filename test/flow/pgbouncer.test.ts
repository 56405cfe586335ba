import pg from 'pg';
import t, { type Test } from 'tap';
import { markPooled } from '../../shared/base/pooled-url.js';
import { createDatabase } from '../support/database.js';
import { startPgBouncer } from '../support/pgbouncer.js';
import { hasProgram } from '../support/programs.js';
import { type CreatedLink, startStack, waitForClicks } from '../support/stack.js';
import { until } from '../support/until.js';
import { createVisitor } from '../support/visitor.js';
import { startReceiver } from '../support/webhook-receiver.js';

interface Totals {
  readonly totals: { readonly all: number };
}

if (hasProgram(t, 'pgbouncer'))
  t.test('API, configuration, clicks, statistics and webhooks work through PgBouncer in transaction mode', async (t) => {
    const receiver = await startReceiver(t, (response) => response.writeHead(200).end('taken'));
    const database = await createDatabase();
    t.teardown(() => database.drop());
    const { url: poolUrl } = await startPgBouncer(t, database.url);
    const environment = { OUTBOUND_ALLOW: receiver.origin, DATABASE_POOL_URL: poolUrl };
    const stack = await startStack(t, { databaseUrl: database.url, environment });
    const { controlPlane, project, engine } = stack;
    const endpoint = await controlPlane.call<{ secret: string }>(project, 'POST', '/webhooks', {
      url: `${receiver.origin}/hook`,
      events: ['link.created', 'link.updated', 'click.created'],
    });
    t.equal(endpoint.status, 201, JSON.stringify(endpoint.body));
    receiver.trust(endpoint.body.secret);
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        controlPlane.call<CreatedLink>(project, 'POST', '/links', { destinations: { web: `https://destination.example/${n}` } }),
      ),
    );
    t.ok(
      made.every(({ status }) => status === 201),
      'many simultaneous calls succeed over few sessions',
    );
    const link = made[0]?.body as CreatedLink;
    const changed = await controlPlane.call<CreatedLink>(project, 'PATCH', `/links/${link.id}`, { title: 'New' });
    t.equal(changed.status, 200, JSON.stringify(changed.body));
    const bulk = await controlPlane.call<{ data: unknown[] }>(project, 'POST', '/links/bulk', {
      links: Array.from({ length: 300 }, (_, n) => ({ destinations: { web: `https://destination.example/bulk/${n}` } })),
    });
    t.ok(bulk.status < 300, `a bulk call succeeds: ${JSON.stringify(bulk.body).slice(0, 200)}`);
    t.equal((await controlPlane.call(project, 'GET', '/links?limit=5')).status, 200);
    const visitor = createVisitor(engine.port, project.linkHost);
    t.teardown(() => visitor.close());
    for (const { body } of made) t.equal((await visitor.visit(`/${body.path}`)).status, 302);
    t.equal(await waitForClicks(stack, made.length), made.length);
    await until(async () => {
      const { status, body } = await controlPlane.call<Totals>(project, 'GET', `/links/${link.id}/stats`);
      return status === 200 && body.totals.all === 1;
    }, 'the click to be counted');
    for (const type of ['link.created', 'link.updated', 'click.created'])
      await receiver.first(({ headers }) => headers['x-service-event'] === type, `a delivery of ${type}`);
    await engine.whenReady();

    await nothingIsKept(t, poolUrl, await stack.rows(SETTINGS));
    const printed = engine.output() + controlPlane.output();
    t.notMatch(printed, /prepared statement|unsupported startup parameter/);
  });

const SETTINGS = `SELECT current_setting('synchronous_commit') AS synchronous_commit, current_setting('statement_timeout') AS statement_timeout,
  current_setting('enable_seqscan') AS enable_seqscan, (SELECT count(*)::integer FROM pg_prepared_statements) AS prepared`;

/**
 * The settings of one session must not hold for others: every session of PgBouncer must have the settings of a new session of the
 * server.
 */
async function nothingIsKept(t: Test, poolUrl: string, untouched: unknown): Promise<void> {
  const clients = Array.from({ length: 6 }, () => new pg.Client({ connectionString: markPooled(poolUrl) as string }));
  try {
    for (const client of clients) await client.connect();
    for (const client of clients) await client.query('BEGIN');
    for (const client of clients) t.strictSame((await client.query(SETTINGS)).rows, untouched);
    for (const client of clients) t.strictSame((await client.query('SHOW jit')).rows, [{ jit: 'off' }], 'by connect_query');
    for (const client of clients) await client.query('COMMIT');
  } finally {
    for (const client of clients) await client.end();
  }
}
