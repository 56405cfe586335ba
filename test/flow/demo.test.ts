import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { CLICK_TABLES, CONFIGURATION_TABLES, PEOPLE_TABLES } from '../../control-plane/erasure/tables.js';
import { TEST_SECRETS_KEYS } from '../support/engine.js';
import { freePort } from '../support/free-port.js';
import { type CreatedLink, startStack } from '../support/stack.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { createVisitor } from '../support/visitor.js';
import { startProcess } from '../support/whole-process.js';

const HOST = 'flow-shop.localhost';

interface Delivery {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
}

/** Runs the command as an operator does. */
function linkd(t: Test, environment: Readonly<Record<string, string>>) {
  const folder = temporaryFolder(t);
  let runs = 0;
  return (...parameters: string[]) =>
    startProcess('deploy/command-line/linkd.js', environment, join(folder, String(runs++)), { parameters: ['--json', ...parameters] });
}

t.test('linkd demo serve receives and verifies the deliveries of an engine, and linkd demo remove leaves no rows', async (t) => {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const stack = await startStack(t, { environment: { OUTBOUND_ALLOW: origin }, processes: 1 });
  const { controlPlane, databaseUrl, engine } = stack;
  // In a file, as with Compose.
  const keys = join(temporaryFolder(t), 'secrets-keys');
  writeFileSync(keys, `${TEST_SECRETS_KEYS}\n`);
  const run = linkd(t, { DATABASE_URL: databaseUrl, SECRETS_KEYS_FILE: keys, OUTBOUND_ALLOW: origin });
  const rows = async () => {
    const counts = [...CLICK_TABLES, ...PEOPLE_TABLES, ...CONFIGURATION_TABLES].map(
      ({ table }) => `SELECT '${table}' AS name, count(*)::integer AS rows FROM ${table}`,
    );
    return stack.rows(`${counts.join(' UNION ALL ')} ORDER BY name`);
  };
  const before = await rows();

  const filling = run('demo', '--clicks', '200', '--live-host', HOST, '--origin', origin);
  t.equal((await filling.ended()).code, 0, filling.output());
  const made = JSON.parse(filling.output());
  const project = { environmentId: made.live_environment, linkHost: HOST, secretKey: made.secret_key };
  const get = async <Body>(path: string) => (await controlPlane.call<Body>(project, 'GET', path)).body;
  const [endpoint] = (await get<{ data: { id: string; status: string }[] }>('/webhooks')).data;
  t.match(endpoint, { status: 'disabled', url: `${origin}/hooks` });
  t.same(
    (await get<{ data: Delivery[] }>(`/webhooks/${endpoint?.id}/deliveries`)).data,
    [],
    'no event of the invented 30 days is delivered',
  );

  const serving = run('demo', 'serve', '--listen', origin.replace('http://', ''));
  t.teardown(() => serving.kill());
  const lines = () =>
    serving
      .output()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const line = async (type: string, times = 1) => {
    await until(
      () => lines().filter((one) => one.type === type && one.fault === null && one.response_code === 204).length === times,
      `${times} of ${type}`,
    );
    return lines().findLast((one) => one.type === type);
  };
  t.match(await line('link.created'), { test: true, delivery: /^whd_/ }, 'a sample event is received');
  t.match(lines()[0], { origin, receives: true });
  const link = await controlPlane.call<CreatedLink>(project, 'POST', '/links', {
    tags: ['linkd-demo'],
    destinations: { web: 'https://example.com/' },
  });
  t.match(await line('link.created', 2), { test: false });
  const visitor = createVisitor(engine.port, HOST);
  t.teardown(() => visitor.close());
  await until(async () => (await visitor.visit(`/${link.body.path}`)).status === 302, 'the link to redirect');
  await line('click.created');

  const log = `/webhooks/${endpoint?.id}/deliveries?event_type=click.created`;
  await until(
    async () => (await get<{ data: Delivery[] }>(log)).data[0]?.status === 'succeeded',
    'the log of deliveries to show the success',
  );
  const [delivered] = (await get<{ data: Delivery[] }>(log)).data;
  t.equal((await controlPlane.call(project, 'POST', `/webhooks/${endpoint?.id}/deliveries/${delivered?.id}/replay`)).status, 202);
  await line('click.created', 2);

  serving.child.kill('SIGINT');
  t.same(await serving.ended(), { code: 0, signal: null }, serving.output());
  t.match(await get(`/webhooks/${endpoint?.id}`), { status: 'disabled' });
  const removing = run('demo', 'remove');
  t.equal((await removing.ended()).code, 0, removing.output());
  t.same(await rows(), before);
});
