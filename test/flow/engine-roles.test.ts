import t, { type Test } from 'tap';
import { startEngine, type TestEngine } from '../support/engine.js';
import { type CreatedLink, type Stack, startStack, waitForClicks } from '../support/stack.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { createVisitor } from '../support/visitor.js';
import { startReceiver } from '../support/webhook-receiver.js';

/** Longer than the time during which a host that joins others sends nothing. */
const TAKE_OVER_MS = 60_000;

async function startHost(t: Test, { engineOptions }: Stack, roles: string): Promise<TestEngine> {
  const environment = { ...engineOptions.environment, ENGINE_ROLES: roles };
  const host = await startEngine({ ...engineOptions, dataDir: temporaryFolder(t), environment });
  t.teardown(() => host.stop());
  await host.whenReady();
  return host;
}

/** Ends all processes of the host at once, as if its machine died. */
async function killHost(host: TestEngine): Promise<void> {
  const pids = await host.pids();
  await host.kill();
  for (const pid of pids.values()) process.kill(pid, 'SIGKILL');
}

t.test(
  'hosts with different roles share one database, and another host takes over deliveries when the only one that delivers is killed',
  async (t) => {
    const receiver = await startReceiver(t, (response) => response.writeHead(200).end('taken'));
    const environment = { OUTBOUND_ALLOW: receiver.origin, ENGINE_ROLES: 'redirect' };
    const stack = await startStack(t, { environment });
    const { controlPlane, project, engine: far, rows } = stack;
    const delivering = await startHost(t, stack, 'background,webhooks');
    const endpoint = await controlPlane.call<{ secret: string }>(project, 'POST', '/webhooks', {
      url: `${receiver.origin}/hook`,
      events: ['link.created', 'click.created'],
    });
    receiver.trust(endpoint.body.secret);
    const createLink = async () =>
      (await controlPlane.call<CreatedLink>(project, 'POST', '/links', { destinations: { web: 'https://destination.example/' } })).body;
    const toldOf = (id: string) =>
      until(async () => receiver.received.some(({ body }) => body.includes(id)), `a delivery about ${id}`, TAKE_OVER_MS);

    t.strictSame([...(await far.pids()).keys()].sort(), ['background', 'redirect-0', 'redirect-1']);
    t.strictSame([...(await delivering.pids()).keys()], ['background'], 'a host without the redirect role runs no redirect process');
    t.equal(delivering.port, 0);
    t.match(await far.health(), { status: 'ok', roles: ['redirect'] });
    t.notOk((await far.health()).parts.some(({ part }) => part.endsWith('/webhooks')));
    t.match(await delivering.metrics(), /engine_role\{[^}]*role="webhooks"[^}]*\} 1/);
    t.notMatch(await far.metrics(), /role="webhooks"/);
    const listening = `SELECT count(*)::integer AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'link-service listen webhook_due config_feed'`;
    t.strictSame(await rows(listening), [{ count: 1 }], 'notifications of deliveries wake only the host that delivers');

    const link = await createLink();
    await toldOf(link.id);
    const visitor = createVisitor(far.port, project.linkHost);
    t.teardown(() => visitor.close());
    t.equal((await visitor.visit(`/${link.path}`)).status, 302);
    await waitForClicks(stack, 1);
    await receiver.first(({ headers }) => headers['x-service-event'] === 'click.created', 'the click of a host that does not deliver');

    const other = await startHost(t, stack, 'webhooks');
    await until(
      async () => (await rows<{ roles: string[] }>('SELECT roles FROM engines WHERE left_at IS NULL')).length === 3,
      'three hosts in the table of engines',
    );
    await killHost(delivering);
    const later = await createLink();
    await toldOf(later.id);
    t.match((await other.health()).roles, ['webhooks']);
    t.equal((await visitor.visit(`/${later.path}`)).status, 302);
  },
);
