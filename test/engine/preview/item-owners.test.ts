import t from 'tap';
import { Membership } from '../../../engine/membership/membership.js';
import { CallBudget } from '../../../engine/preview/call-budget.js';
import { Figures } from '../../../engine/preview/figures.js';
import { ItemOwners, type OwnerAsk, ownerChannel, readOwnerAsks } from '../../../engine/preview/item-owners.js';
import type { Reply } from '../../../engine/preview/messages.js';
import { MinuteWindow } from '../../../engine/preview/minute-window.js';
import { TypeActor } from '../../../engine/preview/type-actor.js';
import { systemScheduler } from '../../../shared/base/scheduler.js';
import { compileMetadataApi } from '../../../shared/metadata/call.js';
import type { RememberedAnswer } from '../../../shared/metadata/remembered.js';
import { silentLog } from '../fixtures.js';
import { CONFIGURATION } from './fixtures.js';

const TYPE = 'rt_1';
const CALL_MS = 20;
/** Longer than any delay on a busy machine, so that a live owner is never taken for a dead one. */
const TIMEOUT_MS = 2_000;
const now = () => performance.now();

/** Engines without processes. They exchange messages over a bus in memory, and share answers through a map. */
class Simulation {
  readonly engines = new Map<string, { readonly actor: TypeActor; readonly budget: CallBudget }>();
  readonly shared = new Map<string, RememberedAnswer>();
  calls = 0;
  underWay = 0;
  mostUnderWay = 0;

  constructor(members: number, limits: { readonly max_concurrency: number; readonly max_requests_per_minute: number }) {
    const ids = Array.from({ length: members }, (_, n) => `e${n}`);
    for (const id of ids) this.#start(id, ids, limits);
  }

  #start(id: string, ids: readonly string[], limits: Pick<typeof CONFIGURATION, 'max_concurrency' | 'max_requests_per_minute'>): void {
    const membership = new Membership(id, now);
    membership.resume(ids);
    const store = new Map<string, RememberedAnswer>();
    const configuration = { ...CONFIGURATION, ...limits, url_template: 'https://api.example.com/{id}', timeout_ms: TIMEOUT_MS };
    const budget = new CallBudget(
      'mapi_1',
      new MinuteWindow({ journal: { note: () => {}, read: () => [], clear: () => {} }, now, epochNow: Date.now }),
    );
    const actor = new TypeActor(
      {
        resource_type_id: TYPE,
        generation: 1,
        compiled: compileMetadataApi(configuration, { type: 'product', service_name: 'S', credential: null }),
      },
      budget,
      {
        answers: {
          find: (key) => store.get(key),
          put: (key, answer) => void store.set(key, answer),
          remove: (keys) => void keys.map((key) => store.delete(key)),
          epoch: () => 1,
        },
        shared: {
          read: async ({ item_id }) => ({ kind: 'read', invalidation: '0', answer: this.shared.get(item_id) ?? null }),
          store: ({ item_id, answer }) => void this.shared.set(item_id, answer),
          listedUrls: async () => new Set(),
        },
        owners: new ItemOwners({
          order: (item, holders) => membership.ordered(item, holders),
          notify: async (channels, texts) => {
            for (const [n, channel] of channels.entries()) this.#notify(channel, texts[n] as string);
          },
          log: silentLog,
          now,
        }),
        sender: {
          request: async ({ url }) => {
            this.calls += 1;
            this.underWay += 1;
            this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
            await new Promise((resolve) => setTimeout(resolve, CALL_MS));
            this.underWay -= 1;
            const body = Buffer.from(JSON.stringify({ title: url.pathname, status: 'live' }));
            return { kind: 'answered', status: 200, body, truncated: false, latencyMs: CALL_MS };
          },
        },
        figures: new Figures(),
        log: silentLog,
        clock: Date.now,
        now,
        schedule: systemScheduler,
      },
    );
    budget.setLimits(
      limits,
      (limit, subject) => membership.share(limit, subject),
      (limit, subject) => membership.holders(limit, subject),
    );
    this.engines.set(id, { actor, budget });
  }

  #notify(channel: string, text: string): void {
    for (const [id, { actor }] of this.engines)
      if (ownerChannel(id) === channel)
        for (const { item_id, wait_ms } of readOwnerAsks(text))
          actor.ask({ item_id, untilMs: now() + wait_ms, ahead: false, forAnother: true, called: false, reply: () => {} });
  }

  ask(id: string, item_id: string, waitMs = 20_000): Promise<Reply> {
    return new Promise((reply) =>
      this.engines.get(id)?.actor.ask({ item_id, untilMs: now() + waitMs, ahead: false, called: false, reply }),
    );
  }
}

t.test('forty engines share ten concurrent calls: there are never more, and the bots of every engine get cards', async (t) => {
  const simulation = new Simulation(40, { max_concurrency: 10, max_requests_per_minute: 1_000 });
  const without = [...simulation.engines].filter(([, { budget }]) => budget.isWithoutShare);
  t.equal(without.length, 30);
  const asked = [...simulation.engines.keys()].flatMap((id, n) =>
    Array.from({ length: 5 }, (_, k) => [id, `item-${(n * 7 + k * 13) % 60}`] as const),
  );
  const replies = await Promise.all(asked.map(([id, item]) => simulation.ask(id, item)));
  for (const [n, reply] of replies.entries()) t.match(reply, { kind: 'answer', answer: { metadata: { title: `/${asked[n]?.[1]}` } } });
  t.ok(simulation.mostUnderWay <= 10, `${simulation.mostUnderWay} at once`);
  t.ok(simulation.mostUnderWay > 1);
  const items = new Set(asked.map(([, item]) => item)).size;
  // Engines that have a share make calls by themselves, so that several of them may ask for the same item at the same time.
  t.ok(
    simulation.calls >= items && simulation.calls <= 2 * items,
    `${simulation.calls} calls for ${items} items, of which ${asked.length} bots asked`,
  );
});

t.test('all engines without a share ask the same engine for an item, which makes one call', async (t) => {
  const simulation = new Simulation(40, { max_concurrency: 10, max_requests_per_minute: 1_000 });
  const without = [...simulation.engines].filter(([, { budget }]) => budget.isWithoutShare).map(([id]) => id);
  const replies = await Promise.all(without.flatMap((id) => [simulation.ask(id, 'a'), simulation.ask(id, 'a')]));
  t.ok(replies.every(({ kind }) => kind === 'answer'));
  t.equal(simulation.calls, 1);
});

t.test('two limits below the number of engines are divided among the same engines', async (t) => {
  const simulation = new Simulation(40, { max_concurrency: 3, max_requests_per_minute: 7 });
  const holders = [...simulation.engines].filter(([, { budget }]) => !budget.isWithoutShare).map(([id]) => id);
  t.equal(holders.length, 3);
  for (const { budget } of simulation.engines.values()) t.strictSame([...budget.holders].sort(), holders.sort());
  t.match(await simulation.ask('e0', 'a'), { kind: 'answer' });
});

t.test('a killed owner delays an item by the time of one call, and later items not at all', async (t) => {
  const simulation = new Simulation(12, { max_concurrency: 2, max_requests_per_minute: 1_000 });
  const asker = [...simulation.engines].find(([, { budget }]) => budget.isWithoutShare)?.[0] as string;
  const holders = simulation.engines.get(asker)?.budget.holders as readonly string[];
  const [killed] = holders;
  simulation.engines.delete(killed as string);
  const items = Array.from({ length: 20 }, (_, n) => `item-${n}`);
  const slowest = await Promise.all(
    items.map(async (item) => {
      const beganAt = now();
      t.match(await simulation.ask(asker, item), { kind: 'answer' }, item);
      return now() - beganAt;
    }),
  );
  t.ok(Math.max(...slowest) >= TIMEOUT_MS, 'some of the items belonged to the killed owner');
  t.ok(Math.max(...slowest) < TIMEOUT_MS + 2_000, `${Math.max(...slowest)} ms`);
  const beganAt = now();
  for (const item of items) t.match(await simulation.ask(asker, `later-${item}`), { kind: 'answer' });
  t.ok(now() - beganAt < TIMEOUT_MS + items.length * 150, 'the killed owner is asked last from then on');
});

t.test(
  'questions of one turn are sent in few notifications within the size limit of PostgreSQL, and malformed ones are ignored',
  async (t) => {
    const sent: { readonly channel: string; readonly text: string }[] = [];
    const owners = new ItemOwners({
      order: (_, holders) => holders,
      notify: async (channels, texts) => {
        for (const [n, channel] of channels.entries()) sent.push({ channel, text: texts[n] as string });
      },
      log: silentLog,
      now,
    });
    const ask = (item_id: string): OwnerAsk => ({ resource_type_id: TYPE, generation: 1, item_id, wait_ms: 100 });
    const asks = Array.from({ length: 300 }, (_, n) => ask(`${n}-${'ü'.repeat(60)}`));
    for (const each of asks) owners.ask('00000000-0000-4000-8000-000000000000', each);
    await new Promise((resolve) => setImmediate(resolve));
    t.ok(sent.length > 1 && sent.length < 20, `${sent.length}`);
    t.ok(sent.every(({ channel, text }) => channel === 'metadata_00000000000040008000000000000000' && Buffer.byteLength(text) < 8_000));
    t.strictSame(
      sent.flatMap(({ text }) => readOwnerAsks(text)),
      asks,
    );
    for (const text of ['', '{}', '[null, 1, {}]', `[${JSON.stringify({ ...ask('a'), wait_ms: -1 })}]`])
      t.strictSame(readOwnerAsks(text), []);
  },
);
