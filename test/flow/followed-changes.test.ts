import t from 'tap';
import { visitorPerProcess } from '../support/process-visitors.js';
import { startStack } from '../support/stack.js';
import { until } from '../support/until.js';
import { DESKTOP } from '../support/visitor.js';

/** A resource type can have only this many templates. */
const ROUNDS = 5;

t.test('a change is in effect at the first visit after its answer, on every process', async (t) => {
  const stack = await startStack(t);
  const { controlPlane, project } = stack;
  const call = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await controlPlane.call<{ id: string; path: string }>(project, method, path, body);
    t.ok(status < 300, `${method} ${path} answers ${status}`);
    return answer;
  };
  const inTouch = () => stack.rows('SELECT 1 FROM engines WHERE applied_position IS NOT NULL');
  await until(async () => (await inTouch()).length === 1, 'the engine to have followed the feed');
  const link = await call('POST', '/links', { destinations: { web: 'https://destination.example/' } });
  const redirects = [...(await stack.engine.pids())].flatMap(([name, pid]) => (name.startsWith('redirect') ? [pid] : []));
  const server = { port: stack.engine.port, host: project.linkHost, path: `/${link.path}` };
  const processes = [...(await visitorPerProcess(server, redirects)).values()];
  t.teardown(() => {
    for (const visitor of processes) visitor.close();
  });
  const everywhere = async (expected: string | number, path: string) => {
    const answers = await Promise.all(processes.map((visitor) => visitor.visit(path, DESKTOP)));
    t.same(
      answers.map(({ status, location }) => location ?? status),
      processes.map(() => expected),
      `${path} leads to ${expected}`,
    );
  };
  const type = await call('POST', '/resource-types', { key: 'product', name: 'Products' });

  for (let round = 0; round < ROUNDS; round++) {
    const destination = `https://destination.example/${round}`;
    await call('PATCH', `/links/${link.id}`, { destinations: { web: destination } });
    await everywhere(destination, `/${link.path}`);
    await call('PATCH', `/links/${link.id}`, { status: 'disabled' });
    await everywhere(404, `/${link.path}`);
    await call('PATCH', `/links/${link.id}`, { status: 'active' });
    await everywhere(destination, `/${link.path}`);
    await call('DELETE', `/links/${link.id}`);
    await everywhere(410, `/${link.path}`);
    await call('POST', `/links/${link.id}/restore`);
    await everywhere(destination, `/${link.path}`);

    const bare = await call('POST', '/links', {});
    await call('PATCH', '/environment', { default_destinations: { web: `https://home.example/${round}` } });
    await everywhere(`https://home.example/${round}`, `/${bare.path}`);

    const template = await call('POST', '/url-templates', {
      resource_type_id: type.id,
      path_pattern: `/p${round}/{id}`,
      id_format: { kind: 'preset', preset: 'numeric' },
      deep_link_path: '/{type}/{id}',
      redirects: { web: 'https://shop.example/{id}' },
    });
    await everywhere('https://shop.example/42', `/p${round}/42`);
    await call('PATCH', `/url-templates/${template.id}`, { redirects: { web: `https://shop.example/${round}/{id}` } });
    await everywhere(`https://shop.example/${round}/42`, `/p${round}/42`);
    await call('PATCH', `/url-templates/${template.id}`, { status: 'disabled' });
    await everywhere(404, `/p${round}/42`);

    const campaign = await call('POST', '/campaigns', { key: `spring-${round}`, name: 'Spring', utm_source: 'mail' });
    const named = await call('POST', '/links', { destinations: { web: destination }, campaign: `spring-${round}` });
    await everywhere(`${destination}?utm_source=mail`, `/${named.path}`);
    await call('PATCH', `/campaigns/${campaign.id}`, { utm_source: 'print' });
    await everywhere(`${destination}?utm_source=print`, `/${named.path}`);
  }
});
