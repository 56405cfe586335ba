import t from 'tap';
import type { ResourceStats } from '../../shared/contract/schemas/resources.js';
import { hostileAnswersLeaveNothing, hostileApis, startHostileApi, visitorsPassBots } from '../fault/preview-scenarios.js';
import { startCustomerApi } from '../support/customer-api.js';
import { askCard, askCards, makePreviewedType } from '../support/preview-bots.js';
import { startStack } from '../support/stack.js';
import { until } from '../support/until.js';

t.test('cards of items are fetched, cached, limited and counted', async (t) => {
  let version = 1;
  let underWay = 0;
  let mostUnderWay = 0;
  const api = await startCustomerApi(t, (path, response) => {
    const [, kind, item] = path.split('/');
    const body = JSON.stringify({ name: `${item} v${version}`, image: 'https://img.example/1.png', route: `/own/${item}` });
    if (kind === 'quick') {
      if (item === 'missing') response.writeHead(404).end();
      else setTimeout(() => response.end(body), item === 'slow' ? 200 : 0);
      return;
    }
    underWay++;
    mostUnderWay = Math.max(mostUnderWay, underWay);
    response.on('close', () => underWay--);
    setTimeout(() => response.end(body), 20);
  });
  const hostile = await startHostileApi(t);
  const stack = await startStack(t, { environment: { OUTBOUND_ALLOW: `${api.origin},${hostile.origin}` } });
  const { controlPlane, project } = stack;
  const call = async <Body>(method: string, path: string, body?: unknown) =>
    (await controlPlane.call<Body>(project, method, path, body)).body;
  const calledFor = (item: string) => api.calls.filter(({ path }) => path.endsWith(`/${item}`)).length;
  const field_mapping = { title: 'name', image_url: 'image', deep_link_path: 'route' };
  // The longest permitted timeout, so that a bot still waits for its card while other tests slow the machine down.
  const timeout_ms = 5000;
  await makePreviewedType(stack, 'product', { url_template: `${api.origin}/quick/{id}`, field_mapping, timeout_ms });
  const stock = await makePreviewedType(stack, 'stock', {
    url_template: `${api.origin}/stock/{id}`,
    field_mapping,
    max_concurrency: 3,
    max_requests_per_minute: 40,
    timeout_ms: 500,
  });
  /** What bots of products received before the first card from the API. They are redirected until the configuration is known. */
  const early = { cards: 0, redirects: 0 };
  for (const key of ['product', 'stock'])
    await until(async () => {
      const { status, title } = await askCard(stack, `/${key}/ready`);
      if (key === 'product' && status === 200) early.cards++;
      if (key === 'product' && status === 302) early.redirects++;
      return title === 'ready v1';
    }, `cards of ${key}`);
  const earlyPreviews = early.cards + early.redirects;
  const productFigures = async () => {
    const { types } = await call<ResourceStats>('GET', '/resources/stats');
    return types.find(({ resource_type }) => resource_type === 'product');
  };

  await t.test('a thousand bots that request one uncached item from two processes cause one call (promise P1)', async (t) => {
    const answers = await Promise.all(Array.from({ length: 1000 }, () => askCard(stack, '/product/slow')));
    t.strictSame(new Set(answers.map(({ title }) => title)), new Set(['slow v1']));
    t.equal(calledFor('slow'), 1);
    const { body, headers } = answers[0] ?? {};
    t.match(body, /<meta name="twitter:card" content="summary_large_image">/);
    t.match(body, /<meta property="og:url" content="http:\/\/go\.demo\.example(:\d+)?\/product\/slow">/);
    t.match(headers, { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    const head = await askCard(stack, '/product/slow', { method: 'HEAD' });
    t.strictSame([head.status, head.body, head.headers['content-length']], [200, '', headers?.['content-length']]);
    t.match((await askCard(stack, '/product/missing')).body, /no longer available/);
    t.match((await askCard(stack, '/product/missing')).body, /no longer available/);
    t.equal(calledFor('missing'), 1);
  });

  await t.test(
    'once an invalidation is answered, no process shows an older answer, not even one whose call was under way (promise P5)',
    async (t) => {
      for (let n = 0; n < 10; n++) {
        // In every other round, some bots wait for a call that is under way when the invalidation comes.
        const hanging = n % 2 === 0 ? [] : Array.from({ length: 4 }, () => askCard(stack, '/product/slow'));
        if (hanging.length > 0) await call('POST', '/resources/invalidate', { resource_type: 'product', ids: ['slow'] });
        version++;
        const answer = await call<{ requested: number }>('POST', '/resources/invalidate', {
          resource_type: 'product',
          ids: ['slow', 'ready'],
        });
        t.equal(answer.requested, 2, JSON.stringify(answer));
        const after = await Promise.all(
          Array.from({ length: 8 }, (_, at) => askCard(stack, `/product/${at % 2 === 0 ? 'ready' : 'slow'}`)),
        );
        for (const { title } of after) t.match(title, new RegExp(`v${version}$`));
        await Promise.all(hanging);
      }
    },
  );

  await t.test('statistics count how previews were answered and how often the API was called', async (t) => {
    await call('PUT', `/resource-types/${stock.id}/metadata-api`, { ...stock.configuration, status: 'disabled' });
    await until(async () => (await askCard(stack, '/stock/ready')).status === 302, 'bots to be redirected without a card');
    await call('PUT', `/resource-types/${stock.id}/metadata-api`, { ...stock.configuration, status: 'active' });
    const called = api.calls.filter(({ path }) => path.startsWith('/quick/')).length;
    const stats = await until(async () => {
      const found = await productFigures();
      return found !== undefined && found.previews.served >= earlyPreviews + 1003 + 100 && found.metadata_api.calls >= called && found;
    }, 'the statistics to count all previews');
    const { previews, metadata_api } = stats;
    t.equal(metadata_api.calls, called);
    t.match(metadata_api, { missing: 1, errors: 0, timeouts: 0, breaker_open: 0, throttled: 0, error_rate: 0 });
    t.equal(previews.from_negative_cache, 1);
    t.equal(previews.from_database, 0);
    t.ok(previews.cache_hit_rate !== null && previews.cache_hit_rate > 0.9 && previews.cache_hit_rate < 1);
    t.equal(previews.served, earlyPreviews + 1003 + 100);
    t.equal(previews.fallback, early.cards - 1);
    t.equal(previews.redirected, early.redirects);
  });

  // The short forms of test/fault/hostile-metadata-apis.test.ts and hung-metadata-api.test.ts.
  await t.test('hostile APIs delay bots no longer than the timeout, and their answers leave no memory in use (promise P6)', async (t) => {
    await hostileApis(t, stack, hostile, 1);
    await hostileAnswersLeaveNothing(t, hostile, 5);
  });

  await t.test('visitors are answered while bots wait for an API that never answers (promise R2)', (t) =>
    visitorsPassBots(t, stack, hostile, 100),
  );

  await t.test(
    'the limits of an API hold over both processes while background and a redirect process are killed (promise P2)',
    async (t) => {
      await until(async () => (await askCard(stack, '/stock/again')).title === `again v${version}`, 'the new configuration');
      const paths = Array.from({ length: 400 }, (_, n) => `/stock/item${n}`);
      const flood = askCards(stack, paths.slice(0, 200), 40);
      const pids = await stack.engine.pids();
      await new Promise((resolve) => setTimeout(resolve, 60));
      process.kill(pids.get('background') as number, 'SIGKILL');
      const answered = await Promise.allSettled([flood]);
      t.equal(answered[0]?.status, 'fulfilled', 'every bot gets a card');
      process.kill(pids.get('redirect-0') as number, 'SIGKILL');
      await until(async () => (await stack.engine.pids()).get('background') !== pids.get('background'), 'another background process');
      await Promise.allSettled(paths.slice(200).map((path) => askCard(stack, path)));
      const times = api.calls.flatMap(({ path, at }) => (path.startsWith('/stock/') ? at : []));
      // On a busy machine, all of this may take longer than the minute of the limit.
      const calls = Math.max(...times.map((end) => times.filter((at) => at > end - 60_000 && at <= end).length));
      t.ok(mostUnderWay <= 3, `${mostUnderWay} at once`);
      t.ok(calls <= 40 && calls >= 3, `${calls} calls within a minute`);
    },
  );

  await t.test('a stop with SIGTERM loses no count of previews', async (t) => {
    await stack.engine.whenReady();
    const count = 57;
    for (let n = 0; n < count; n++) t.match((await askCard(stack, '/product/ready')).title, 'ready');
    await stack.engine.stop();
    t.equal((await productFigures())?.previews.served, earlyPreviews + 1003 + 100 + count);
  });
});
