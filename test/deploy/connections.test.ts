import t from 'tap';
import { DATABASE_CONNECTIONS } from '../../shared/base/database-connections.js';
import { readTreeFile } from '../support/source-tree.js';
import { type CreatedLink, type Stack, startStack, waitForClicks } from '../support/stack.js';
import { until } from '../support/until.js';
import { createVisitor } from '../support/visitor.js';

/** Connections that are opened only for some work, and not by every process. */
const NOW_AND_THEN = [
  'link-service listen metadata',
  'link-service bootstrap',
  'link-service click-limits',
  'control-plane-large-calls',
  'control-plane-queue',
];

t.test('deploy/README.md lists every connection that the service opens', async (t) => {
  const rows =
    readTreeFile('deploy/README.md').match(
      /^\| (engine host|redirect process|engine host that delivers|engine host beside others|control plane) \| `.*$/gm,
    ) ?? [];
  const listed = rows.map((row) =>
    row
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', ''))
      .slice(1, 5),
  );
  const known = DATABASE_CONNECTIONS.map(({ owner, name, max, setting, pooled }) => [
    owner,
    name,
    setting === undefined ? String(max) : `${setting} (${max})`,
    pooled ? 'DATABASE_POOL_URL' : 'DATABASE_URL',
  ]);
  t.same(listed, known);
});

/** The URLs of a long link are looked up in the block list. */
async function visitLongLink({ controlPlane, project, engine }: Stack): Promise<void> {
  const destinations = { web: 'https://destination.example/' };
  await controlPlane.call(project, 'POST', '/links', { path: 'long', destinations });
  await controlPlane.call(project, 'PATCH', '/environment', { long_link_hosts: ['destination.example'], long_link_path: 'long' });
  const url = encodeURIComponent('https://destination.example/page');
  const visitor = createVisitor(engine.port, project.linkHost);
  await until(async () => (await visitor.visit(`/?link=${url}`)).status === 302, 'the redirect of a long link');
  visitor.close();
}

t.test('processes open all connections of the table and no others', async (t) => {
  const stack = await startStack(t);
  const { controlPlane, project, engine, rows } = stack;
  const visitor = createVisitor(engine.port, project.linkHost);
  t.teardown(() => visitor.close());
  const made = await Promise.all(
    Array.from({ length: 60 }, () =>
      controlPlane.call<CreatedLink>(project, 'POST', '/links', { destinations: { web: 'https://destination.example/' } }),
    ),
  );
  for (const { body } of made) await visitor.visit(`/${body.path}`);
  await visitLongLink(stack);
  await waitForClicks(stack, made.length);
  const opened = async () =>
    new Map(
      (
        await rows<{ name: string; count: number }>(
          `SELECT application_name AS name, count(*)::integer AS count FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> '' GROUP BY 1`,
        )
      ).map(({ name, count }) => [name, count] as const),
    );
  const always = DATABASE_CONNECTIONS.map(({ name }) => name).filter((name) => !NOW_AND_THEN.includes(name));
  await until(async () => {
    const found = await opened();
    return always.every((name) => found.has(name));
  }, 'every connection to be open').catch(async () => t.same([...(await opened()).keys()].sort(), always.toSorted()));
  for (const [name, count] of await opened()) {
    const row = DATABASE_CONNECTIONS.find((connections) => connections.name === name);
    if (row === undefined) t.fail(`${name} is not in the table`);
    // The stack has two redirect processes and one of everything else.
    else t.ok(count <= row.max * (row.owner === 'redirect process' ? 2 : 1), `${name}: ${count}`);
  }
});

t.test('one line of the log says that PostgreSQL allows fewer connections than the processes may open', async (t) => {
  const stack = await startStack(t, { environment: { DATABASE_CONNECTIONS: '500', LOG_LEVEL: 'warn' } });
  const said = () => stack.controlPlane.output().match(/PostgreSQL allows \d+ connections, but the running processes may open \d+/g) ?? [];
  await until(async () => said().length > 0, 'the line of the log');
  t.equal(said().length, 1);
});
