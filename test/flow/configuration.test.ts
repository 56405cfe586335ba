import t from 'tap';
import { startEngine } from '../support/engine.js';
import { visitorPerProcess } from '../support/process-visitors.js';
import { type CreatedLink, startStack } from '../support/stack.js';
import { until } from '../support/until.js';
import { createVisitor, type Visit } from '../support/visitor.js';

t.test('a change over REST takes effect on every redirect process, and stays in effect without PostgreSQL', async (t) => {
  const stack = await startStack(t);
  const { controlPlane, project, engine } = stack;
  const { body: link } = await controlPlane.call<CreatedLink>(project, 'POST', '/links', {
    path: 'offer',
    destinations: { web: 'https://destination.example/first' },
  });
  const pids = [...(await engine.pids())].filter(([name]) => name.startsWith('redirect-')).map(([, pid]) => pid);
  t.equal(pids.length, 2);
  const visitors = await visitorPerProcess({ port: engine.port, host: project.linkHost, path: '/offer' }, pids);
  t.teardown(() => {
    for (const visitor of visitors.values()) visitor.close();
  });

  const everywhere = async (expected: Visit, what: string) => {
    let seen: Visit[] = [];
    await until(async () => {
      seen = await Promise.all([...visitors.values()].map((visitor) => visitor.visit('/offer')));
      return seen.every(({ status, location }) => status === expected.status && location === expected.location);
    }, what).catch(() => {});
    t.same(seen, [expected, expected], what);
  };
  const change = async (body: object) => t.equal((await controlPlane.call(project, 'PATCH', `/links/${link.id}`, body)).status, 200);

  await everywhere({ status: 302, location: 'https://destination.example/first' }, 'the first destination');
  await change({ destinations: { web: 'https://destination.example/second' } });
  await everywhere({ status: 302, location: 'https://destination.example/second' }, 'the second destination');
  await change({ status: 'disabled' });
  await everywhere({ status: 404, location: null }, 'disabled');
  await change({ status: 'active' });
  await everywhere({ status: 302, location: 'https://destination.example/second' }, 'active again');

  for (const visitor of visitors.values()) visitor.close();
  await engine.stop();
  stack.engine = await startEngine({ ...stack.engineOptions, databaseUrl: 'postgres://127.0.0.1:9/none' });
  const visitor = createVisitor(stack.engine.port, project.linkHost);
  t.same(await visitor.visit('/offer'), { status: 302, location: 'https://destination.example/second' }, 'without PostgreSQL');
  visitor.close();
  await stack.engine.stop();

  t.equal((await controlPlane.call(project, 'DELETE', `/links/${link.id}`)).status, 204);
  stack.engine = await startEngine(stack.engineOptions);
  await stack.engine.whenReady();
  const after = createVisitor(stack.engine.port, project.linkHost);
  t.teardown(() => after.close());
  await until(async () => (await after.visit('/offer')).status === 410, 'the change that was missed').catch(() => {});
  t.equal((await after.visit('/offer')).status, 410, 'a change made while the engine is down takes effect after its start');
});
