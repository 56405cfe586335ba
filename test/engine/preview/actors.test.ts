import t from 'tap';
import { Actors } from '../../../engine/preview/actors.js';
import { Figures } from '../../../engine/preview/figures.js';
import type { Reply } from '../../../engine/preview/messages.js';
import { MinuteWindow } from '../../../engine/preview/minute-window.js';
import type { BoundedRequest, RequestOutcome } from '../../../shared/net/bounded-request.js';
import type { MetadataApiRecord, ResourceTypeRecord } from '../../../shared/records/records.js';
import { metadataSecretPlace, parseSecretKeys, seal } from '../../../shared/secrets/seal.js';
import { manualTimers } from '../../support/manual-scheduler.js';
import { resourceTypeRecord, silentLog } from '../fixtures.js';
import { metadataApiRecord, NO_OWNERS } from './fixtures.js';

const keys = parseSecretKeys(`k:${Buffer.alloc(32, 1).toString('base64')}`);

function fixture() {
  const clock = manualTimers();
  const calls: { readonly request: BoundedRequest; answer(outcome: RequestOutcome): void }[] = [];
  const windows: string[] = [];
  const cleared: string[] = [];
  const actors = new Actors({
    parts: {
      answers: { find: () => undefined, put: () => {}, remove: () => {}, epoch: () => 1 },
      shared: { read: async () => ({ kind: 'unread' }), store: () => {}, listedUrls: async () => new Set() },
      owners: NO_OWNERS,
      sender: { request: (request) => new Promise((answer) => void calls.push({ request, answer })) },
      figures: new Figures(),
      log: silentLog,
      clock: clock.now,
      now: clock.now,
      schedule: clock.schedule,
    },
    secretKeys: keys,
    serviceName: 'Service',
    shareOf: (limit) => limit,
    holdersOf: () => [],
    openWindow: (apiId) => {
      windows.push(apiId);
      return new MinuteWindow({
        journal: { note: () => {}, read: () => [], clear: () => void cleared.push(apiId) },
        now: clock.now,
        epochNow: clock.now,
      });
    },
  });
  const reply: Reply[] = [];
  const ask = async (type: string, generation: number, item = 'a') => {
    actors.ask(type, generation, {
      item_id: item,
      untilMs: clock.now() + 1000,
      ahead: false,
      called: false,
      reply: (answer) => void reply.push(answer),
    });
    await new Promise((resolve) => setImmediate(resolve));
  };
  const update = (apis: readonly MetadataApiRecord[], types: readonly ResourceTypeRecord[] = [resourceTypeRecord()]) =>
    actors.update({ metadata_apis: apis, resource_types: types });
  return { actors, ask, calls, cleared, clock, reply, update, windows };
}

const TYPE = resourceTypeRecord().id;

t.test('a question goes to the actor of its type and generation, and otherwise has to be asked again', async (t) => {
  const { actors, ask, calls, reply, update } = fixture();
  await ask(TYPE, 1);
  t.same(reply, [{ kind: 'again', called: false }], 'no API is configured');
  update([metadataApiRecord({ generation: 3 })]);
  await ask(TYPE, 2);
  await ask(TYPE, 3, 'é/1');
  t.equal(reply.length, 2);
  t.match(calls[0]?.request, { method: 'GET', url: { href: 'https://api.example.com/product/%C3%A9%2F1' } });
  t.match(calls[0]?.request.headers, { 'user-agent': 'Service-Metadata/1' });
  t.same(actors.stats(), { actors: 1, fetches: 1, breakersOpen: 0 });
});

t.test('an API is not called if its type is archived, it is disabled, or its credential cannot be decrypted', async (t) => {
  const { ask, calls, reply, update } = fixture();
  update([metadataApiRecord()], [resourceTypeRecord({ state: 'archived' })]);
  await ask(TYPE, 1);
  update([metadataApiRecord({ status: 'disabled' })]);
  await ask(TYPE, 1);
  const lost = parseSecretKeys(`lost:${Buffer.alloc(32, 2).toString('base64')}`);
  const secret = seal(lost, metadataSecretPlace(metadataApiRecord().id), 'x').toString('base64');
  update([metadataApiRecord({ secret })]);
  await ask(TYPE, 1);
  t.same(
    reply.map(({ kind }) => kind),
    ['again', 'again', 'none'],
    'only a question that a newer configuration could answer is to be asked again',
  );
  t.equal(calls.length, 0);
});

t.test('the credential is decrypted for the call alone, and a credential that is sealed again changes nothing else', async (t) => {
  const { actors, ask, calls, reply, update } = fixture();
  const auth = { type: 'bearer', header_name: null };
  const sealed = (text: string) => seal(keys, metadataSecretPlace(metadataApiRecord().id), text).toString('base64');
  update([metadataApiRecord({ secret: sealed('first') }, { auth })]);
  await ask(TYPE, 1);
  t.equal(calls[0]?.request.headers.authorization, 'Bearer first');
  update([metadataApiRecord({ secret: sealed('second') }, { auth })]);
  t.equal(reply.length, 0, 'the call under way goes on');
  t.equal(actors.stats().fetches, 1);
  await ask(TYPE, 1, 'b');
  t.equal(calls[1]?.request.headers.authorization, 'Bearer second');
});

t.test('a new generation makes the questions under way be asked again, and shares the limits of the one before', async (t) => {
  const { actors, ask, calls, reply, update, windows } = fixture();
  update([metadataApiRecord({}, { max_concurrency: 1 })]);
  await ask(TYPE, 1);
  update([metadataApiRecord({ generation: 2 }, { max_concurrency: 1 })]);
  t.same(reply, [{ kind: 'again', called: true }]);
  t.equal(actors.underWay(), 1);
  await ask(TYPE, 2);
  t.equal(calls.length, 1);
  calls[0]?.answer({ kind: 'failed', error: 'connect', status: null, body: Buffer.alloc(0), latencyMs: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  t.equal(calls.length, 2);
  t.same(windows, [metadataApiRecord().id], 'one window for the API in every configuration');
  actors.invalidateAll();
  t.equal(reply.length, 2);
});

t.test('the budget and notes of an API that is no longer configured are dropped once its calls no longer count', async (t) => {
  const { actors, ask, calls, cleared, clock, update, windows } = fixture();
  const { id } = metadataApiRecord();
  update([metadataApiRecord()]);
  await ask(TYPE, 1);
  calls[0]?.answer({ kind: 'failed', error: 'connect', status: null, body: Buffer.alloc(0), latencyMs: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(65_000);
  actors.dropUnused();
  update([metadataApiRecord({ status: 'disabled' })]);
  actors.dropUnused();
  update([metadataApiRecord()]);
  await ask(TYPE, 1, 'b');
  t.same([windows, cleared], [[id], []], 'a disabled API keeps its window');
  calls[1]?.answer({ kind: 'failed', error: 'connect', status: null, body: Buffer.alloc(0), latencyMs: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  update([]);
  clock.advance(64_999);
  actors.dropUnused();
  t.same(cleared, []);
  t.ok(actors.quietMs() < 65_000);
  clock.advance(1);
  actors.dropUnused();
  t.same(cleared, [id]);
  t.equal(actors.quietMs(), Number.POSITIVE_INFINITY);
  update([metadataApiRecord()]);
  t.same(windows, [id, id]);
});
