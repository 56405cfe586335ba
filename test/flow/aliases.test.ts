import t from 'tap';
import { visitorPerProcess } from '../support/process-visitors.js';
import { type CreatedLink, startStack, untilReplicated } from '../support/stack.js';
import { until } from '../support/until.js';
import { createVisitor } from '../support/visitor.js';

const stack = await startStack(t);
const { controlPlane, project } = stack;
const on = (path: string) => ({ host: project.linkHost, path });

async function create(body: object): Promise<CreatedLink> {
  const { status, body: link } = await controlPlane.call<CreatedLink>(project, 'POST', '/links', body);
  t.equal(status, 201);
  return link;
}

const patch = async (id: string, body: object) => t.equal((await controlPlane.call(project, 'PATCH', `/links/${id}`, body)).status, 200);

t.test(
  'a new, moved or removed alias takes effect on every process as soon as the call is answered, and works while background is killed',
  async (t) => {
    await until(async () => (await stack.rows('SELECT 1 FROM engines')).length === 1, 'the engine to be in touch with the database');
    const plain = await create({ path: 'plain', destinations: { web: 'https://destination.example/plain' } });
    const redirects = [...(await stack.engine.pids())].flatMap(([name, pid]) => (name.startsWith('redirect') ? [pid] : []));
    const server = { port: stack.engine.port, host: project.linkHost, path: `/${plain.path}` };
    const processes = [...(await visitorPerProcess(server, redirects)).values()];
    t.teardown(() => {
      for (const visitor of processes) visitor.close();
    });
    /** The answer of each process: where it leads, or its status. */
    const everywhere = async (path: string) => {
      const answers = await Promise.all(processes.map((visitor) => visitor.visit(path)));
      return answers.map(({ status, location }) => location ?? status);
    };
    const all = (answer: string | number) => processes.map(() => answer);
    const A = 'https://destination.example/a';
    const B = 'https://destination.example/b';
    for (let round = 0; round < 5; round++) {
      const path = `sale/${round}/index.html`;
      const first = await create({ destinations: { web: A }, aliases: [on(path)] });
      t.same(await everywhere(`/${path}`), all(A), 'the first visit of each process');
      await patch(first.id, { aliases: [] });
      t.same(await everywhere(`/${path}`), all(404), 'a removed alias answers 404');
      const second = await create({ destinations: { web: B }, aliases: [on(path)] });
      t.same(await everywhere(`/${path}`), all(B), 'the alias leads to another link');
      await patch(second.id, { destinations: { web: A } });
      await untilReplicated(stack);
      t.same(await everywhere(`/${path}`), all(A), 'the alias follows a changed destination of its link');
    }
    t.equal((await controlPlane.call(project, 'DELETE', `/links/${plain.id}`)).status, 204);
    const refused = await controlPlane.call(project, 'POST', '/links', { destinations: { web: B }, aliases: [on('plain')] });
    t.equal(refused.status, 409, 'the path of a deleted link may not be an alias of another link');
    await untilReplicated(stack);
    t.same(await everywhere('/plain'), all(410));
    const shadow = await create({ destinations: { web: B }, aliases: [on('shadow')] });
    t.same(await everywhere('/shadow'), all(B));
    t.equal((await controlPlane.call(project, 'DELETE', `/links/${shadow.id}`)).status, 204);
    await untilReplicated(stack);
    t.same(await everywhere('/shadow'), all(410), 'the alias of a deleted link stays reserved');
    t.equal((await controlPlane.call(project, 'POST', `/links/${shadow.id}/restore`)).status, 200);
    t.same(
      [await everywhere('/shadow'), await everywhere(`/${shadow.path}`)],
      [all(B), all(B)],
      'a restored link is found by its alias and its path',
    );

    const links = Array.from({ length: 300 }, (_, number) => ({ destinations: { web: A }, aliases: [on(`many/${number}.html`)] }));
    const { body: bulk } = await controlPlane.call<{ created: number }>(project, 'POST', '/links/bulk', { links });
    t.equal(bulk.created, 300, 'a bulk call, which a worker thread processes, makes all links');
    t.same(await everywhere('/many/299.html'), all(A));

    const kept = await create({ destinations: { web: B }, aliases: [on('kept/%C3%A9')] });
    const background = (await stack.engine.pids()).get('background') as number;
    process.kill(background, 'SIGKILL');
    t.same(await everywhere('/kept/%c3%a9'), all(B), 'the alias works while background is dead');
    await until(async () => ![undefined, background].includes((await stack.engine.pids()).get('background')), 'another background process');
    await patch(kept.id, { aliases: [on('kept/more')] });
    await untilReplicated(stack);
    t.same([await everywhere('/kept/%C3%A9'), await everywhere('/kept/more')], [all(404), all(B)]);
  },
);

t.test('clicks on an alias count for its link, and store the path that was visited', async (t) => {
  const link = await create({ path: 'told', destinations: { web: 'https://destination.example/' }, aliases: [on('told/by.html')] });
  const visitor = createVisitor(stack.engine.port, project.linkHost);
  t.teardown(() => visitor.close());
  for (const path of ['/told', '/told/by.html', '/told/by.html/']) t.equal((await visitor.visit(path)).status, 302);
  // Clicks of earlier tests may still be on their way into the log.
  const told = () => stack.rows<{ path: string }>("SELECT path FROM clicks WHERE path LIKE 'told%' ORDER BY id");
  const rows = await until(async () => {
    const stored = await told();
    return stored.length >= 3 && stored;
  }, 'the clicks to be stored');
  t.same(
    rows.map(({ path }) => path),
    ['told', 'told/by.html', 'told/by.html'],
  );
  await until(async () => {
    const { body } = await controlPlane.call<{ totals: { all: number } }>(project, 'GET', `/links/${link.id}/stats`);
    return body.totals.all === 3;
  }, 'three clicks of the link');
});
