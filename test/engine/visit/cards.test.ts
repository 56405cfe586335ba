import { connect } from 'node:net';
import t, { type Test } from 'tap';
import type { ListenerKind } from '../../../engine/http/listener.js';
import { Figures } from '../../../engine/preview/figures.js';
import { ItemAnswers } from '../../../engine/preview/item-answers.js';
import type { Ask, Reply } from '../../../engine/preview/messages.js';
import { answerKey, openAnswerReader } from '../../../engine/store/answer-store.js';
import { AnswerWriter } from '../../../engine/store/answer-writer.js';
import { systemClock } from '../../../shared/base/clock.js';
import type { RememberedAnswer } from '../../../shared/metadata/remembered.js';
import type { EnvironmentRecord } from '../../../shared/records/records.js';
import { until } from '../../support/until.js';
import { environmentRecord, NO_DESTINATIONS, PREVIEW, resourceTypeRecord, silentLog, templateRecord } from '../fixtures.js';
import { converse, type RawAnswer, request } from '../http/raw-http.js';
import { metadataApiRecord, rememberedAnswer } from '../preview/fixtures.js';
import { type Served, serve } from './served.js';

const TYPE = resourceTypeRecord().id;
const TEMPLATE = templateRecord({ redirects: { ...NO_DESTINATIONS, web: 'https://shop.example/{id}' } });

interface Asked {
  readonly question: Omit<Ask, 'kind' | 'id'>;
  tell(reply: Reply): void;
}

interface Fixture {
  readonly served: Served;
  readonly answers: AnswerWriter;
  readonly asked: Asked[];
  /** Whether the client accepts questions. */
  readonly client: { takes: boolean };
  put(item: string, answer: RememberedAnswer): void;
  /** The counts since the previous call. */
  counts(): Readonly<Record<string, number>>;
  card(path: string, method?: string): Promise<RawAnswer>;
}

interface Options {
  readonly listener?: ListenerKind;
  readonly timeoutMs?: number;
  readonly environment?: Partial<EnvironmentRecord>;
}

/** A link host with a real store of answers, and a client whose questions the test answers. */
async function fixture(t: Test, { listener = 'uws', timeoutMs = 1000, environment = {} }: Options = {}): Promise<Fixture> {
  const dataDir = t.testdir();
  const answers = new AnswerWriter({ dataDir, log: silentLog, clock: systemClock });
  const reader = openAnswerReader(dataDir, silentLog);
  const figures = new Figures();
  const asked: Asked[] = [];
  const client = { takes: true };
  const ask = (question: Asked['question'], tell: Asked['tell']) => {
    if (client.takes) asked.push({ question, tell });
    return client.takes;
  };
  const served = await serve(listener, {
    items: new ItemAnswers(reader, { figures, ask }, systemClock),
    clock: systemClock,
    templates: [TEMPLATE],
    metadata_apis: [metadataApiRecord({ timeout_ms: timeoutMs })],
    environment,
  });
  t.teardown(async () => {
    await served.stop();
    await reader.close();
    await answers.close();
  });
  return {
    served,
    answers,
    asked,
    client,
    put: (item, answer) => answers.put(answerKey(TYPE, item), answer),
    counts: () => (figures.take()[0]?.counts ?? {}) as Readonly<Record<string, number>>,
    async card(path, method = 'GET') {
      const head = method === 'HEAD';
      const text = request(path, { 'User-Agent': PREVIEW }).replace(/^GET/, method);
      const { answers: got } = await converse(served.port, text, { answers: 1, heads: head, waitMs: 5000 });
      if (got[0] === undefined) throw new Error(`no answer to ${path}`);
      return got[0];
    },
  };
}

const titleOf = (answer: RawAnswer) => /<meta property="og:title" content="([^"]*)">/.exec(answer.body.toString())?.[1];
const reply = (answer: RememberedAnswer, changes: Partial<Extract<Reply, { kind: 'answer' }>> = {}): Reply => ({
  kind: 'answer',
  answer,
  source: 'api',
  called: true,
  epoch: 0,
  ...changes,
});
const second = (seconds: number) => Date.now() + seconds * 1000;

t.test(
  'what is remembered is shown at once: an item, a missing or unpublished one, and a stale one while it is fetched again',
  async (t) => {
    const { asked, card, counts, put } = await fixture(t);
    put('1', rememberedAnswer({ title: 'Shoe "1"', image_url: 'https://img.example/1.png', canonical_url: 'https://shop.example/shoe' }));
    const item = await card('/p/1');
    t.match(item.body.toString(), '<meta property="og:title" content="Shoe &#34;1&#34;">');
    t.match(item.body.toString(), '<meta name="twitter:card" content="summary_large_image">');
    t.match(item.body.toString(), '<link rel="canonical" href="https://shop.example/shoe">');
    t.match(item.body.toString(), 'href="https://shop.example/1"', 'the link to the web page');
    t.match(item.headers.get('content-security-policy'), /^default-src 'none'/);
    t.same(counts(), { previews_served: 1, previews_from_memory: 1 });

    put('2', rememberedAnswer({}, { outcome: 'missing', metadata: null }));
    t.match((await card('/p/2')).body.toString(), 'no longer available');
    t.same(counts(), { previews_served: 1, previews_from_negative_cache: 1 });

    put('3', rememberedAnswer({ title: 'Draft', resource_status: 'draft' }, { meaning: 'unpublished' }));
    t.match((await card('/p/3')).body.toString(), 'no longer available');
    t.same(counts(), { previews_served: 1, previews_from_memory: 1 });

    put('4', rememberedAnswer({ title: 'Stale' }, { expires_at_ms: second(-1) }));
    for (let n = 0; n < 3; n++) t.equal(titleOf(await card('/p/4')), 'Stale');
    t.same(counts(), { previews_served: 3, previews_stale: 3 });
    t.match(asked, [{ question: { item_id: '4', wait_ms: 0, ahead: false, generation: 1 } }], 'with one question');
    asked[0]?.tell({ kind: 'none', called: false });
    await card('/p/4');
    t.equal(asked.length, 2, 'the item is asked for again after the first question has ended');
  },
);

t.test('HEAD is answered as GET is, without the body', async (t) => {
  const { card, counts, put } = await fixture(t);
  put('1', rememberedAnswer({ title: 'Shoe' }));
  const [get, head] = [await card('/p/1'), await card('/p/1', 'HEAD')];
  t.equal(head.headers.get('content-length'), get.headers.get('content-length'));
  t.same([head.status, head.body.length], [200, 0]);
  t.equal(counts().previews_served, 2);
});

t.test('a page is rendered once per answer, and again if the answer, the environment or the route changes', async (t) => {
  const { card, put, served } = await fixture(t, {
    environment: { ios_apps: [{ team_id: 'A', bundle_id: 'b', app_store_url: null, uri_scheme: 'shop' }] },
  });
  put('1', rememberedAnswer({ title: 'One', deep_link_path: '/own/1' }));
  const first = await card('/p/1');
  t.match(first.body.toString(), '<meta property="al:ios:url" content="shop://own/1">', 'the route is the one that the API names');
  t.same((await card('/p/1')).body, first.body);
  put('1', rememberedAnswer({ title: 'Two' }));
  const next = await card('/p/1');
  t.equal(titleOf(next), 'Two');
  t.match(next.body.toString(), '<meta property="al:ios:url" content="shop://product/1">', 'the route is that of the template');
  served.config.environments = [environmentRecord({ project_name: 'Renamed' })];
  served.config.version++;
  await until(async () => (await card('/p/1')).body.toString().includes('Renamed'), 'the renamed project');
});

t.test('without an active API a bot is redirected to the web destination, or gets the generic card if there is none', async (t) => {
  const { asked, card, counts, put, served } = await fixture(t);
  put('1', rememberedAnswer({ title: 'Shoe' }));
  for (const apis of [[], [metadataApiRecord({ status: 'disabled' })]]) {
    served.config.metadata_apis = apis;
    served.config.templates = [TEMPLATE];
    served.config.version++;
    await until(async () => (await card('/p/1')).status === 302, 'the redirect');
    counts();
    for (const method of ['GET', 'HEAD']) {
      const answer = await card('/p/1', method);
      t.same([answer.status, answer.headers.get('location'), answer.body.length], [302, 'https://shop.example/1', 0], method);
      t.same(counts(), { previews_served: 1, previews_redirected: 1 });
    }
    served.config.templates = [templateRecord({ redirects: { ...NO_DESTINATIONS, ios: 'https://apps.apple.com/app/id1' } })];
    served.config.environments = [environmentRecord({ default_destinations: NO_DESTINATIONS })];
    served.config.version++;
    await until(async () => titleOf(await card('/p/1')) === 'Shop &#38; Co', 'the generic card');
    counts();
    await card('/p/1');
    t.same(counts(), { previews_served: 1, previews_fallback: 1 });
  }
  t.equal(asked.length, 0);
  t.equal(served.ledger.clicks.length, 0);
});

for (const listener of ['uws', 'node'] as const)
  t.test(`bots that wait for the same item ask once, and one of them counts as the caller (${listener})`, async (t) => {
    const { asked, card, counts, served } = await fixture(t, { listener });
    const waiting = Array.from({ length: 20 }, () => card('/p/7'));
    await until(() => asked.length === 1, 'the question');
    t.match(asked[0]?.question, { item_id: '7', generation: 1, ahead: false });
    t.ok((asked[0]?.question.wait_ms ?? 0) > 900);
    t.match(await served.registry.metrics(), /link_host_waiting_previews [1-9]/);
    await until(async () => (await served.registry.metrics()).includes('link_host_waiting_previews 20'), 'all of them to wait');
    t.equal((await converse(served.port, request('/p/7'), { answers: 1 })).answers[0]?.status, 302, 'visitors do not wait');
    asked[0]?.tell(reply(rememberedAnswer({ title: 'Seven' })));
    for (const answer of await Promise.all(waiting)) t.equal(titleOf(answer), 'Seven');
    t.same(counts(), { previews_served: 20, previews_called: 1 });
    t.match(await served.registry.metrics(), 'link_host_waiting_previews 0\n');
  });

t.test('each preview is counted by the source of its answer', async (t) => {
  const { asked, card, counts } = await fixture(t);
  const rows = [
    [reply(rememberedAnswer({ title: 'x' }), { source: 'database', called: false }), { previews_from_database: 1 }],
    [reply(rememberedAnswer({ title: 'x' }), { source: 'store', called: false }), { previews_from_memory: 1 }],
    [
      reply(rememberedAnswer({}, { outcome: 'missing', metadata: null }), { source: 'database', called: false }),
      { previews_from_negative_cache: 1 },
    ],
    [reply(rememberedAnswer({ title: 'x' }, { expires_at_ms: second(-1) }), { source: 'database', called: false }), { previews_stale: 1 }],
    [reply(rememberedAnswer({}, { outcome: 'missing', metadata: null })), { previews_called: 1 }],
    [
      { kind: 'none', called: true },
      { previews_fallback: 1, previews_called: 1 },
    ],
    [{ kind: 'none', called: false }, { previews_fallback: 1 }],
  ] as const satisfies readonly (readonly [Reply, object])[];
  for (const [index, [answer, counted]] of rows.entries()) {
    const waiting = card(`/p/${index + 1}`);
    await until(() => asked.length === index + 1, 'the question');
    asked[index]?.tell(answer);
    await waiting;
    t.same(counts(), { previews_served: 1, ...counted }, JSON.stringify(counted));
  }
});

t.test('a bot never waits longer than timeout_ms, and counts as the caller even if its call ends later', async (t) => {
  const { asked, card, counts } = await fixture(t, { timeoutMs: 120 });
  const started = performance.now();
  t.equal(titleOf(await card('/p/1')), 'Shop &#38; Co');
  const took = performance.now() - started;
  t.ok(took >= 115 && took < 1000, `${Math.round(took)} ms`);
  t.same(counts(), { previews_served: 1, previews_fallback: 1 });
  asked[0]?.tell(reply(rememberedAnswer({ title: 'Late' })));
  t.same(counts(), { previews_called: 1 });
});

t.test('a bot that hangs up does not count as a preview', async (t) => {
  const { asked, counts, served } = await fixture(t);
  const socket = connect(served.port, '127.0.0.1');
  socket.write(request('/p/1', { 'User-Agent': PREVIEW }));
  await until(() => asked.length === 1, 'the question');
  socket.destroy();
  await until(async () => (await served.registry.metrics()).includes('link_host_waiting_previews 0'), 'the end of its wait');
  asked[0]?.tell(reply(rememberedAnswer({ title: 'x' })));
  t.same(counts(), {});
});

t.test(
  'if too many questions wait the generic card comes at once and counts as throttled, and a stale answer is still shown',
  async (t) => {
    const { card, counts, client, put } = await fixture(t);
    client.takes = false;
    t.equal(titleOf(await card('/p/1')), 'Shop &#38; Co');
    t.same(counts(), { previews_served: 1, previews_fallback: 1, skipped_throttled: 1 });
    put('2', rememberedAnswer({ title: 'Stale' }, { expires_at_ms: second(-1) }));
    t.equal(titleOf(await card('/p/2')), 'Stale');
    t.same(counts(), { previews_served: 1, previews_stale: 1, skipped_throttled: 1 });
  },
);

t.test('an answer that was invalidated on its way is not shown, and the question is asked again (promise P5)', async (t) => {
  const { answers, asked, card, counts } = await fixture(t);
  const waiting = card('/p/1');
  await until(() => asked.length === 1, 'the question');
  const epoch = answers.epoch();
  answers.remove([answerKey(TYPE, '1')]);
  asked[0]?.tell(reply(rememberedAnswer({ title: 'old' }), { epoch }));
  await until(() => asked.length === 2, 'the second question');
  asked[1]?.tell(reply(rememberedAnswer({ title: 'new' }), { epoch: answers.epoch() }));
  t.equal(titleOf(await waiting), 'new');
  t.same(counts(), { previews_served: 1, previews_called: 1 });

  const found = card('/p/2');
  await until(() => asked.length === 3, 'the question');
  asked[2]?.tell({ kind: 'again', called: false });
  answers.put(answerKey(TYPE, '2'), rememberedAnswer({ title: 'at hand by then' }));
  t.equal(titleOf(await found), 'at hand by then');
  t.same(counts(), { previews_served: 1, previews_from_memory: 1 });
});

t.test('under a new configuration no earlier answer is shown, and waiting bots cause a new question', async (t) => {
  const { asked, card, put, served } = await fixture(t);
  put('1', rememberedAnswer({ title: 'First generation' }));
  t.equal(titleOf(await card('/p/1')), 'First generation');
  const waiting = card('/p/2');
  await until(() => asked.length === 1, 'the question');
  served.config.metadata_apis = [metadataApiRecord({ generation: 2 })];
  served.config.version++;
  asked[0]?.tell({ kind: 'again', called: false });
  await until(() => asked.length === 2, 'the question under the new one');
  t.equal(asked[1]?.question.generation, 2);
  asked[1]?.tell(reply(rememberedAnswer({ title: 'Second' }, { generation: 2 })));
  t.equal(titleOf(await waiting), 'Second');
  const cold = card('/p/1');
  await until(() => asked.length === 3, 'the first item again');
  asked[2]?.tell({ kind: 'none', called: false });
  t.equal(titleOf(await cold), 'Shop &#38; Co');
});

t.test('an item that is asked for often is fetched again shortly before it expires', async (t) => {
  const { asked, card, put } = await fixture(t);
  put('1', rememberedAnswer({ title: 'Hot' }, { fetched_at_ms: second(-97), expires_at_ms: second(3) }));
  await card('/p/1');
  await card('/p/1');
  t.equal(asked.length, 0, 'two requests are not often');
  await card('/p/1');
  await card('/p/1');
  t.match(asked, [{ question: { item_id: '1', ahead: true, wait_ms: 0 } }]);
  t.equal(asked.length, 1);
});

t.test('without the store an answer is still shown to the bot that asked for it', async (t) => {
  const { answers, asked, card } = await fixture(t);
  await answers.close();
  const waiting = card('/p/1');
  await until(() => asked.length === 1, 'the question');
  asked[0]?.tell(reply(rememberedAnswer({ title: 'Told' }), { epoch: null }));
  t.equal(titleOf(await waiting), 'Told');
});

t.test('a bot that joins the question of another bot still has its full time to wait', async (t) => {
  const { asked, card, counts } = await fixture(t);
  const first = card('/p/1');
  await until(() => asked.length === 1, 'the first question');
  await new Promise((resolve) => setTimeout(resolve, 500));
  const later = card('/p/1');
  t.equal(titleOf(await first), 'Shop & Co'.replace('&', '&#38;'), 'the time of the first bot is over');
  asked[0]?.tell({ kind: 'none', called: false });
  await until(() => asked.length === 2, 'the second question');
  t.ok(
    (asked[1]?.question.wait_ms ?? 0) > 0 && (asked[1]?.question.wait_ms ?? 0) < 1000,
    'the question gives the rest of the time of the second bot',
  );
  asked[1]?.tell(reply(rememberedAnswer({ title: 'Lamp' })));
  t.equal(titleOf(await later), 'Lamp');
  t.same(counts(), { previews_served: 2, previews_fallback: 1, previews_called: 1 });
});

t.test('a question that is refused early is refused for all who wait for it', async (t) => {
  const { asked, card } = await fixture(t);
  const both = [card('/p/1'), card('/p/1')];
  await until(() => asked.length === 1, 'one question');
  await new Promise((resolve) => setTimeout(resolve, 100));
  asked[0]?.tell({ kind: 'none', called: false });
  for (const answer of await Promise.all(both)) t.match(titleOf(answer), /Shop/);
  t.equal(asked.length, 1);
});
