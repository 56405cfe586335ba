import t from 'tap';
import type { LinkStats } from '../../shared/contract/schemas/link-stats.js';
import { type CreatedLink, startStack } from '../support/stack.js';
import { until } from '../support/until.js';
import { ANDROID, createVisitor, DESKTOP, IPHONE } from '../support/visitor.js';

t.setTimeout(110_000);
t.test('a link sends each platform to its own destination, and its stats say so', async (t) => {
  const stack = await startStack(t);
  const { controlPlane, project, engine } = stack;
  const destinations = {
    ios: 'https://ios.example/item',
    android: 'https://android.example/item',
    desktop: 'https://desktop.example/item',
  };
  const { status, body: link } = await controlPlane.call<CreatedLink>(project, 'POST', '/links', { path: 'summer', destinations });
  t.equal(status, 201);

  const visitor = createVisitor(engine.port, project.linkHost);
  t.teardown(() => visitor.close());
  for (const [userAgent, location] of [
    [IPHONE, destinations.ios],
    [ANDROID, destinations.android],
    [DESKTOP, destinations.desktop],
  ] as const)
    t.same(await visitor.visit('/summer', userAgent), { status: 302, location });
  t.equal((await visitor.visit('/winter')).status, 404, 'a path that is no link');

  let stats: LinkStats | null = null;
  await until(async () => {
    stats = (await controlPlane.call<LinkStats>(project, 'GET', `/links/${link.id}/stats`)).body;
    return stats.totals.all === 3;
  }, 'three clicks in the stats').catch(() => {});
  t.match(stats, { totals: { all: 3, human: 3, unique: 3 } });

  const rows = await stack.rows('SELECT platform, destination FROM clicks ORDER BY id');
  t.same(rows, [
    { platform: 'ios', destination: destinations.ios },
    { platform: 'android', destination: destinations.android },
    { platform: 'desktop', destination: destinations.desktop },
  ]);
});
