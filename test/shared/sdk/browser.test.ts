import t from 'tap';
import { CLIPBOARD_CHARACTERS_MAX } from '../../../shared/base/limits.js';
import { LinkClient, type LinkClientOptions, reactNativeDevice } from '../../../shared/sdk/browser.js';
import { browserDevice } from '../../../shared/sdk/device.js';
import type { Storage } from '../../../shared/sdk/surroundings.js';
import { until } from '../../support/until.js';

const KEY = `pk_test_${'a1B2'.repeat(8)}`;

/** A storage like that of React Native, whose values the test can read. */
function storage(): Storage & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  return { values, getItem: async (key) => values.get(key) ?? null, setItem: async (key, value) => void values.set(key, value) };
}

interface Sent {
  readonly operation: string;
  readonly key: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into member by member
  readonly body: any;
}

type Answer = { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> } | Error;

/** A server that answers with the function, behind a browser that refuses to send a large body from a page that may close. */
function server(answer: (sent: Sent) => Answer) {
  const sent: Sent[] = [];
  const fetch: NonNullable<LinkClientOptions['fetch']> = async (url, { body, headers, keepalive }) => {
    if (keepalive === true && Buffer.byteLength(String(body)) > 64 * 1024) throw offline;
    const operation = url.replace('https://api.example.com/v1/sdk/', '');
    const request = { operation, key: (headers as Record<string, string>)['idempotency-key'] as string, body: JSON.parse(String(body)) };
    sent.push(request);
    const given = answer(request);
    if (given instanceof Error) throw given;
    return new Response(typeof given.body === 'string' ? given.body : JSON.stringify(given.body), {
      status: given.status,
      headers: given.headers ?? {},
    });
  };
  return { sent, fetch };
}

const offline = new TypeError('Failed to fetch');
const opened = { status: 200, body: { attribution: 'organic', deep_link_path: '/x', data: { my_key: 1 } } };
const storedEvent = { status: 201, body: { id: 'evt_1' } };
const options = (parts: Partial<LinkClientOptions>): LinkClientOptions => ({
  publishableKey: KEY,
  baseUrl: 'https://api.example.com/v1/',
  device: { os: 'ios', osVersion: '17.5' },
  ...parts,
});

t.test('an installation id is made once and kept, and its first open is recognised', async (t) => {
  const kept = storage();
  const { fetch, sent } = server(() => opened);
  const first = new LinkClient(options({ storage: kept, fetch }));
  const id = await first.installId();
  t.match(id, /^ins_[0-9a-hjkmnp-tv-z]{26}$/);
  t.match(await first.open({ url: 'https://go.example.com/x' }), { attribution: 'organic', deepLinkPath: '/x', data: { my_key: 1 } });
  await first.open();
  const restarted = new LinkClient(options({ storage: kept, fetch }));
  await restarted.open({ playReferrer: 'click_id=x', clipboard: 'y' });
  const device = { os: 'ios', os_version: '17.5' };
  t.match(
    sent.map(({ body }) => body),
    [
      { install_id: id, first_open: true, opened_url: 'https://go.example.com/x', play_referrer: null, device },
      { install_id: id, first_open: false, opened_url: null },
      { install_id: id, first_open: false, play_referrer: 'click_id=x', clipboard: 'y' },
    ],
  );
  const other = new LinkClient(options({ storage: kept, fetch, publishableKey: KEY.replace('test', 'live') }));
  t.not(await other.installId(), id, 'another environment has installations of its own');
});

/** Another key of the same environment. */
const NEW_KEY = `pk_test_${'z9Y8'.repeat(8)}`;
const EARLIER = { publishableKey: NEW_KEY, earlierKeys: [KEY] };
const CLICK_ID = 'clk_01jd4v6xq8e5s0m3k7n9p2r4t1';

t.test('an app with a new key goes on with what it has stored with the earlier one', async (t) => {
  const kept = storage();
  let answer: Answer = opened;
  const { fetch, sent } = server(() => answer);
  const before = new LinkClient(options({ storage: kept, fetch }));
  const id = await before.installId();
  await before.open();
  kept.values.set([...kept.values.keys()][0]?.concat(':click') as string, JSON.stringify({ id: CLICK_ID, at: Date.now() }));
  answer = offline;
  for (const name of ['one', 'two']) await before.track(name);
  await before.flush();
  const keys = new Set(sent.flatMap(({ operation, key }) => (operation === 'events' ? [key] : [])));
  sent.length = 0;
  answer = storedEvent;
  const after = new LinkClient(options({ storage: kept, fetch, ...EARLIER }));
  await after.track('three');
  await after.flush();
  t.match(
    sent.map(({ body }) => [body.name, body.install_id]),
    [
      ['one', id],
      ['two', id],
      ['three', id],
    ],
  );
  t.ok(keys.has(sent[0]?.key as string), 'a retry has the same key');
  t.equal(sent[2]?.body.click_id, CLICK_ID);
  answer = opened;
  await after.open();
  t.match(sent.at(-1)?.body, { install_id: id, first_open: false });
  sent.length = 0;
  const later = new LinkClient(options({ storage: kept, fetch, publishableKey: `pk_test_${'x'.repeat(32)}`, earlierKeys: [NEW_KEY, KEY] }));
  await later.open();
  await later.flush();
  t.match(
    sent.map(({ body }) => body),
    [{ install_id: id, first_open: false }],
    'nothing is sent again',
  );
  const stranger = new LinkClient(options({ storage: kept, fetch, publishableKey: `pk_test_${'y'.repeat(32)}` }));
  t.not(await stranger.installId(), id, 'a key that names no earlier one has its own installation');
});

t.test('an app that is ended at any write after its key has changed loses nothing', async (t) => {
  const old = storage();
  const before = new LinkClient(options({ storage: old, fetch: server(() => offline).fetch }));
  const id = await before.installId();
  await before.open({ url: 'https://go.example.com/x' });
  for (const name of ['one', 'two']) await before.track(name);
  await before.flush();
  const { fetch, sent } = server(({ operation }) => (operation === 'opens' ? opened : storedEvent));
  const run = async (kept: Storage) => {
    const client = new LinkClient(options({ storage: kept, fetch, ...EARLIER }));
    await client.open();
    await client.flush();
  };
  const states: (readonly (readonly [string, string])[])[] = [[...old.values]];
  const watched = storage();
  for (const [key, value] of old.values) watched.values.set(key, value);
  const setItem = async (key: string, value: string) => {
    watched.values.set(key, value);
    states.push([...watched.values]);
  };
  await run({ getItem: watched.getItem, setItem });
  t.ok(states.length > 5);
  for (const state of states) {
    const kept = storage();
    for (const [key, value] of state) kept.values.set(key, value);
    await run(kept);
  }
  const events = sent.filter(({ operation }) => operation === 'events');
  t.same(new Set(sent.map(({ body }) => body.install_id)), new Set([id]));
  t.equal(new Set(events.map(({ key }) => key)).size, 2, 'an event that is sent again has the same key');
  const firsts = sent.filter(({ body }) => body.first_open);
  for (const { body } of firsts) t.equal(body.opened_url, 'https://go.example.com/x');
});

t.test('earlier keys that cannot be meant are refused', async (t) => {
  const other = KEY.replace('test', 'live');
  for (const earlierKeys of [null, KEY, [other], ['pk_test_short'], [KEY.replace('pk_', 'sk_')], [KEY, undefined]]) {
    const failures: { cause: unknown }[] = [];
    const kept = storage();
    const parts = { storage: kept, publishableKey: NEW_KEY, earlierKeys: earlierKeys as never };
    const client = new LinkClient(options({ ...parts, onFailure: (failure) => failures.push(failure) }));
    t.equal(await client.installId(), null);
    t.match(String(failures[0]?.cause), /earlierKeys must be an array of keys of the form pk_test_/);
    t.equal(kept.values.size, 0);
  }
});

t.test('a first open that did not get through is reported again with its facts, also after a restart', async (t) => {
  const kept = storage();
  let answer: Answer = offline;
  const { fetch, sent } = server(() => answer);
  const failures: string[] = [];
  const onFailure: NonNullable<LinkClientOptions['onFailure']> = ({ operation, status }) => failures.push(`${operation} ${status}`);
  t.equal(
    await new LinkClient(options({ storage: kept, fetch, onFailure })).open({ url: 'https://go.example.com/a', clipboard: 'c' }),
    null,
  );
  answer = { status: 503, body: 'a proxy' };
  const restarted = new LinkClient(options({ storage: kept, fetch, onFailure }));
  t.equal(await restarted.open({ playReferrer: 'r' }), null);
  answer = opened;
  t.ok(await restarted.open());
  t.match(sent[2]?.body, { first_open: true, opened_url: 'https://go.example.com/a', clipboard: 'c', play_referrer: 'r' });
  await restarted.open();
  t.match(sent[3]?.body, { first_open: false, opened_url: null });
  t.same(failures, ['opens 0', 'opens 503']);
});

t.test('a refused first open is not repeated with its invalid facts, and too long clipboard texts are not sent', async (t) => {
  const kept = storage();
  const refusal = { status: 422, body: { code: 'validation_failed' } };
  const { fetch, sent } = server(({ body }) => (body.opened_url === 'no URL' ? refusal : opened));
  const client = () => new LinkClient(options({ storage: kept, fetch }));
  t.equal(await client().open({ url: 'no URL', clipboard: 'c'.repeat(CLIPBOARD_CHARACTERS_MAX + 1) }), null);
  t.equal(sent[0]?.body.clipboard, null);
  t.ok(await client().open({ url: '', clipboard: 'c'.repeat(CLIPBOARD_CHARACTERS_MAX) }));
  t.match(sent[1]?.body, { first_open: true, opened_url: null, clipboard: /^c{4096}$/ });
  await client().open();
  t.equal(sent[2]?.body.first_open, false);
});

t.test('a fact about the device that is refused is left out from then on', async (t) => {
  const { fetch, sent } = server(({ body }) => {
    const wrong = ['os_version', 'model'].filter((name) => body.device[name]?.length > 128).map((name) => `/device/${name}`);
    if (body.opened_url === 'no URL') wrong.push('/opened_url');
    const errors = wrong.map((pointer) => ({ in: 'body', pointer, code: 'too_long', detail: 'must have at most 128 characters' }));
    return errors.length === 0 ? opened : { status: 422, body: { code: 'validation_failed', detail: 'Invalid.', errors } };
  });
  const device = { os: 'ios' as const, osVersion: '1'.repeat(129), model: 'm'.repeat(129), language: 'de' };
  const failures: string[] = [];
  const client = new LinkClient(options({ storage: storage(), fetch, device, onFailure: ({ operation }) => failures.push(operation) }));
  t.equal(await client.open({ url: 'no URL' }), null, 'another fault is reported');
  t.ok(await client.open({ playReferrer: 'r' }));
  t.ok(await client.open());
  t.same(
    sent.map(({ body }) => [body.first_open, Object.keys(body.device)]),
    [
      [true, ['os', 'os_version', 'model', 'language']],
      [true, ['os', 'os_version', 'model', 'language']],
      [true, ['os', 'language']],
      [false, ['os', 'language']],
    ],
  );
  t.equal(sent[2]?.body.play_referrer, 'r');
  t.same(failures, ['opens']);
});

t.test('a service that refuses every device is not called again for it', async (t) => {
  const errors = [{ in: 'body', pointer: '/device/os', code: 'required', detail: 'is required' }];
  const { fetch, sent } = server(() => ({ status: 422, body: { code: 'validation_failed', detail: 'Invalid.', errors } }));
  const client = new LinkClient(options({ storage: storage(), fetch }));
  for (let opens = 0; opens < 2; opens++) t.equal(await client.open(), null);
  t.equal(sent.length, 3, 'only the first open is repeated, without that fact');
});

t.test('a key that is refused for a while does not lose the facts of a first open', async (t) => {
  const { fetch, sent } = server(() => (sent.length < 2 ? { status: 401, body: { code: 'unauthorized' } } : opened));
  const client = new LinkClient(options({ storage: storage(), fetch }));
  t.equal(await client.open({ playReferrer: 'r' }), null);
  t.ok(await client.open());
  t.match(sent[1]?.body, { first_open: true, play_referrer: 'r' });
});

t.test('opens that are reported at the same time are one first open', async (t) => {
  const { fetch, sent } = server(() => opened);
  const client = new LinkClient(options({ storage: storage(), fetch }));
  await Promise.all([client.open(), client.open(), client.open()]);
  t.same(
    sent.map(({ body }) => body.first_open),
    [true, false, false],
  );
  t.equal(new Set(sent.map(({ body }) => body.install_id)).size, 1);
});

t.test('two clients on one storage are one installation with one first open', async (t) => {
  const kept = storage();
  const { fetch, sent } = server(() => opened);
  const clients = [1, 2].map(() => new LinkClient(options({ storage: kept, fetch })));
  const ids = await Promise.all(clients.map((client) => client.installId()));
  t.equal(new Set(ids).size, 1);
  await Promise.all(clients.map((client) => client.open()));
  await clients[0]?.open();
  t.same(
    sent.map(({ body }) => [body.install_id, body.first_open]),
    [
      [ids[0], true],
      [ids[0], false],
      [ids[0], false],
    ],
  );
});

t.test('an event that is tracked after an open is sent once that is answered, also if it fails', async (t) => {
  for (const answer of [opened, offline]) {
    const kept = storage();
    const done: string[] = [];
    let end: (response: Response) => void = () => {};
    let fail: (error: Error) => void = () => {};
    const fetch: NonNullable<LinkClientOptions['fetch']> = (url, { body }) =>
      new Promise((resolve, reject) => {
        done.push(JSON.parse(String(body)).name ?? 'open');
        if (url.endsWith('/events')) return resolve(new Response('{"id":"evt_1"}', { status: 201 }));
        [end, fail] = [resolve, reject];
      });
    const [client, other] = [1, 2].map(() => new LinkClient(options({ storage: kept, fetch }))) as [LinkClient, LinkClient];
    const opening = client.open();
    await Promise.all([client.track('one'), other.track('two')]);
    await until(async () => done.length > 0, 'the open');
    await new Promise((resolve) => setTimeout(resolve, 50));
    t.same(done, ['open']);
    if (answer instanceof Error) fail(answer);
    else end(new Response(JSON.stringify(answer.body), { status: answer.status }));
    await opening;
    await until(async () => done.includes('one') && done.includes('two'), 'both events');
  }
});

t.test('a first open without an answer is reported again before the events, and the next open gets its answer', async (t) => {
  let answers: (operation: string) => Answer = () => offline;
  const { fetch, sent } = server(({ operation }) => answers(operation));
  const client = new LinkClient(options({ storage: storage(), fetch }));
  t.equal(await client.open({ playReferrer: 'r' }), null);
  await client.track('one');
  await client.flush();
  sent.length = 0;
  answers = (operation) => (operation === 'opens' ? opened : storedEvent);
  await client.track('two');
  await client.flush();
  t.same(
    sent.map(({ operation, body }) => body.name ?? operation),
    ['opens', 'one', 'two'],
  );
  t.match(sent[0]?.body, { first_open: true, play_referrer: 'r' });
  t.match(await client.open(), { deepLinkPath: '/x' });
  t.match(sent[3]?.body, { first_open: true, play_referrer: 'r' });
  await client.open();
  t.match(sent[4]?.body, { first_open: false });
});

t.test('a first open that the server answers with a failure is reported again before each event, and holds up none', async (t) => {
  let failures = 3;
  const { fetch, sent } = server(({ operation }) => {
    if (operation === 'events') return storedEvent;
    return failures-- > 0 ? { status: 429, body: { code: 'rate_limited' } } : opened;
  });
  const client = new LinkClient(options({ storage: storage(), fetch }));
  t.equal(await client.open(), null);
  for (const name of ['one', 'two', 'three', 'four']) await client.track(name);
  await client.flush();
  t.same(
    sent.map(({ operation, body }) => body.name ?? operation),
    ['opens', 'opens', 'one', 'opens', 'two', 'opens', 'three', 'four'],
  );
});

t.test('two clients on one storage lose no event of each other, also if nothing can be stored', async (t) => {
  const kept = storage();
  const full: Storage = { getItem: async () => null, setItem: () => Promise.reject(new Error('full')) };
  for (const shared of [kept, full]) {
    let answer: Answer = offline;
    const { fetch, sent } = server(() => answer);
    const clients = [1, 2].map(() => new LinkClient(options({ storage: shared, fetch })));
    const names = Array.from({ length: 20 }, (_, index) => `e${index}`);
    await Promise.all(names.map((name, index) => clients[index % 2]?.track(name)));
    await Promise.all(clients.map((client) => client.flush()));
    answer = storedEvent;
    sent.length = 0;
    await clients[0]?.flush();
    t.same(new Set(sent.map(({ body }) => body.name)), new Set(names));
    t.equal(new Set(sent.map(({ key }) => key)).size, names.length, 'each event has one key');
    t.equal(new Set(sent.map(({ body }) => body.install_id)).size, 1);
  }
});

t.test('links and resolved URLs have names in camel case', async (t) => {
  const { fetch, sent } = server(({ operation }) =>
    operation === 'links' ? { status: 201, body: { id: 'lnk_1', created_at: 'x' } } : opened,
  );
  const client = new LinkClient(options({ fetch }));
  t.match(await client.createLink({ deepLinkPath: '/p', data: { my_key: 1 } }), { id: 'lnk_1', createdAt: 'x' });
  t.match(await client.resolve('https://go.example.com/x'), { deepLinkPath: '/x' });
  t.same(
    sent.map(({ body }) => body),
    [{ deep_link_path: '/p', data: { my_key: 1 } }, { url: 'https://go.example.com/x' }],
  );
  t.match(sent[0]?.key, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

t.test('what is not an answer of the service counts as no answer, whatever its status', async (t) => {
  for (const body of ['<html>Sign in to this network</html>', '', 'null', '[]', '"text"', '{}', '{"status":"ok"}']) {
    let answer: Answer = { status: 200, body };
    const failures: string[] = [];
    const { fetch, sent } = server(({ operation }) => (operation === 'events' && answer === opened ? storedEvent : answer));
    const onFailure = ({ operation, status }: { readonly operation: string; readonly status: number }) =>
      failures.push(`${operation} ${status}`);
    const client = new LinkClient(options({ storage: storage(), fetch, onFailure }));
    await client.track('kept');
    t.same([await client.open(), await client.resolve('https://go.example.com/x'), await client.createLink()], [null, null, null], body);
    t.strictSame(failures, ['opens 0', 'resolve 0', 'links 0'], body);
    await client.flush();
    answer = opened;
    sent.length = 0;
    await client.open();
    await client.flush();
    const bodyOf = (wanted: string) => sent.find(({ operation }) => operation === wanted)?.body;
    t.match(bodyOf('opens'), { first_open: true }, 'the first open is reported again');
    await until(() => bodyOf('events') !== undefined, 'the event to be sent again');
    t.match(bodyOf('events'), { name: 'kept' });
  }
});

t.test('without a network events wait, also over restarts, and are sent in order, each with its own key', async (t) => {
  const kept = storage();
  let answer: Answer = offline;
  const { fetch, sent } = server(() => answer);
  const client = new LinkClient(options({ storage: kept, fetch }));
  for (const name of ['one', 'two', 'three']) await client.track(name, { value: 1, currency: 'EUR', properties: { my_sku: 1 } });
  await client.flush();
  const keysBefore = new Set(sent.filter(({ body }) => body.name === 'one').map(({ key }) => key));
  t.equal(keysBefore.size, 1);
  answer = storedEvent;
  sent.length = 0;
  const restarted = new LinkClient(options({ storage: kept, fetch }));
  await until(async () => sent.length >= 3, 'three events');
  t.same(
    sent.map(({ body }) => body.name),
    ['one', 'two', 'three'],
  );
  t.ok(keysBefore.has(sent[0]?.key as string), 'a retry has the same key');
  t.match(sent[0]?.body, {
    install_id: await restarted.installId(),
    value: 1,
    currency: 'EUR',
    properties: { my_sku: 1 },
    occurred_at: /Z$/,
  });
  await until(async () => [...kept.values.values()].includes('[]'), 'an empty queue');
});

t.test('a refused event is dropped and reported, and a rate-limited one waits as long as the server says', async (t) => {
  const failures: unknown[] = [];
  const { fetch, sent } = server(({ body }) => {
    if (body.name === 'wrong') return { status: 422, body: { code: 'validation_failed', detail: 'no' } };
    return { status: 429, body: { code: 'rate_limited' }, headers: { 'retry-after': '3600' } };
  });
  const client = new LinkClient(options({ storage: storage(), fetch, onFailure: (failure) => failures.push(failure) }));
  await client.track('wrong');
  await client.track('much');
  await until(async () => sent.length >= 2, 'both events');
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.same(
    sent.map(({ body }) => body.name),
    ['wrong', 'much'],
  );
  t.match(failures, [{ operation: 'events', status: 422, problem: { code: 'validation_failed' } }]);
});

t.test('a refusal of a proxy that looks like one of the service drops its event and holds up no other', async (t) => {
  for (const errors of ['text', { a: 1 }, null, [{ message: 'no pointer' }, null]]) {
    const failures: unknown[] = [];
    const { fetch, sent } = server(({ body }) =>
      body.name === 'wrong' ? { status: 422, body: { code: 'invalid', detail: 'no', errors } } : storedEvent,
    );
    const client = new LinkClient(options({ storage: storage(), fetch, onFailure: (failure) => failures.push(failure) }));
    await client.track('wrong');
    await client.track('right');
    await client.flush();
    t.same(
      sent.map(({ body }) => body.name),
      ['wrong', 'right'],
      JSON.stringify(errors),
    );
    t.match(failures, [{ operation: 'events', status: 422, problem: { code: 'invalid', detail: 'no' } }]);
    t.equal(failures.length, 1);
  }
});

t.test('a timeout that cannot work is reported', async (t) => {
  for (const timeoutMs of [0, -1, Number.NaN, null as never, '5000' as never]) {
    const failures: { cause: unknown }[] = [];
    const { fetch, sent } = server(() => opened);
    const client = new LinkClient(options({ storage: storage(), fetch, timeoutMs, onFailure: (failure) => failures.push(failure) }));
    t.equal(await client.open(), null);
    t.match(String(failures[0]?.cause), /timeoutMs must be/);
    t.equal(sent.length, 0);
  }
});

t.test('later events also wait as long as the server has asked for, in seconds or until a date', async (t) => {
  for (const retryAfter of ['3600', new Date(Date.now() + 3_600_000).toUTCString()]) {
    const { fetch, sent } = server(() => ({ status: 429, body: { code: 'rate_limited' }, headers: { 'retry-after': retryAfter } }));
    const client = new LinkClient(options({ storage: storage(), fetch }));
    await client.track('one');
    await until(async () => sent.length === 1, 'the first attempt');
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const name of ['two', 'three']) await client.track(name);
    await client.flush();
    t.equal(sent.length, 1, retryAfter);
  }
});

t.test('what is stored and is no installation is replaced by one', async (t) => {
  const { fetch } = server(() => opened);
  for (const stored of ['', '{', 'null', '[]', '7', '{"id":7}', '{"id":""}', `{"id":"ins_${'x'.repeat(300)}"}`, '{"id":"ins_"}']) {
    const kept = storage();
    kept.values.set(`link-service:${KEY.slice(0, 16)}`, stored);
    const client = new LinkClient(options({ storage: kept, fetch }));
    const id = await client.installId();
    t.match(id, /^ins_[0-9a-z]{26}$/, stored);
    t.equal(await new LinkClient(options({ storage: { ...kept }, fetch })).installId(), id);
  }
});

t.test('a storage that fails once at the start loses neither the installation nor its waiting events', async (t) => {
  const kept = storage();
  const before = new LinkClient(options({ storage: kept, fetch: server(() => offline).fetch }));
  const id = await before.installId();
  await before.track('waiting');
  await before.flush();
  const { fetch, sent } = server(({ operation }) => (operation === 'opens' ? opened : storedEvent));
  const failing: Storage = { getItem: () => Promise.reject(new Error('SQLITE_BUSY')), setItem: kept.setItem };
  const client = new LinkClient(options({ storage: failing, fetch }));
  t.ok(await client.open());
  await client.track('now');
  await client.flush();
  t.same(
    sent.filter(({ operation }) => operation === 'events').map(({ body }) => body.name),
    ['now'],
  );
  const restarted = new LinkClient(options({ storage: kept, fetch }));
  await restarted.flush();
  t.equal(await restarted.installId(), id);
  t.match(sent.at(-1)?.body, { name: 'waiting', install_id: id });
});

t.test('a server that asks for a pause of more than a month is not asked again at once', async (t) => {
  const { fetch, sent } = server(() => ({ status: 503, body: '', headers: { 'retry-after': String(40 * 86_400) } }));
  const client = new LinkClient(options({ storage: storage(), fetch }));
  await client.track('one');
  await until(async () => sent.length > 0, 'an attempt');
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.equal(sent.length, 1);
});

t.test('an event that is too large is dropped, the ones behind it are sent, and a flush ends when all are done', async (t) => {
  const { fetch, sent } = server(({ body }) => (body.name === 'big' ? { status: 413, body: { code: 'payload_too_large' } } : storedEvent));
  const client = new LinkClient(options({ storage: storage(), fetch, timeoutMs: Number.POSITIVE_INFINITY }));
  await client.track('big', { properties: { text: 'ä'.repeat(40_000) } });
  await client.track('small');
  await client.flush();
  t.same(
    sent.map(({ body }) => body.name),
    ['big', 'small'],
  );
});

t.test('an event of a device whose clock is ahead is sent again without its time', async (t) => {
  const { fetch, sent } = server(({ body }) =>
    'occurred_at' in body
      ? {
          status: 422,
          body: { code: 'validation_failed', errors: [{ pointer: '/occurred_at', in: 'body', code: 'invalid_range', detail: 'x' }] },
        }
      : storedEvent,
  );
  const failures: unknown[] = [];
  const client = new LinkClient(options({ storage: storage(), fetch, onFailure: (failure) => failures.push(failure) }));
  await client.track('purchase');
  await until(async () => sent.length === 2, 'two attempts');
  await client.flush();
  t.match(sent[1]?.body, { name: 'purchase' });
  t.equal(sent[1]?.body.occurred_at, undefined);
  t.same([sent.length, failures], [2, []]);
});

t.test('with a full storage every event is still sent, and none twice', async (t) => {
  const kept = storage();
  const { fetch, sent } = server(() => storedEvent);
  const first = new LinkClient(options({ storage: kept, fetch: server(() => offline).fetch }));
  await first.track('stored');
  const full: Storage = { getItem: kept.getItem, setItem: () => Promise.reject(new Error('QuotaExceededError')) };
  const client = new LinkClient(options({ storage: full, fetch }));
  await until(async () => sent.length > 0, 'the stored event');
  await client.track('later');
  await until(async () => sent.length > 1, 'the later event');
  await new Promise((resolve) => setTimeout(resolve, 30));
  t.same(
    sent.map(({ body }) => body.name),
    ['stored', 'later'],
  );
});

t.test('an installation whose id did not fit into a full storage is the same after a restart once there was room again', async (t) => {
  const kept = storage();
  let isFull = true;
  const quota: Storage = {
    getItem: kept.getItem,
    setItem: (key, value) => (isFull ? Promise.reject(new Error('QuotaExceededError')) : kept.setItem(key, value)),
  };
  const { fetch, sent } = server(() => opened);
  const client = new LinkClient(options({ storage: quota, fetch }));
  await client.open();
  t.equal(kept.values.size, 0);
  isFull = false;
  await client.open();
  const restarted = new LinkClient(options({ storage: kept, fetch }));
  await restarted.open();
  t.equal(await restarted.installId(), await client.installId());
  t.same(
    sent.map(({ body }) => body.first_open),
    [true, false, false],
  );
});

t.test('at most a hundred events wait, the newest ones', async (t) => {
  const kept = storage();
  const client = new LinkClient(options({ storage: kept, fetch: server(() => offline).fetch }));
  for (let index = 0; index < 103; index++) await client.track(`e${index}`);
  const waiting = JSON.parse(kept.values.get([...kept.values.keys()].find((key) => key.endsWith(':events')) as string) as string);
  t.equal(waiting.length, 100);
  t.match([waiting[0].event.name, waiting[99].event.name], ['e3', 'e102']);
});

t.test('no call throws an error into the app, whatever it passes and whatever fails', async (t) => {
  const failures: unknown[] = [];
  const onFailure = (failure: unknown) => {
    failures.push(failure);
    throw new Error('the listener of the app');
  };
  const broken: Storage = {
    getItem: () => {
      throw new Error('storage');
    },
    setItem: () => Promise.reject(new Error('full')),
  };
  const never = () => new Promise<Response>(() => {});
  const setups: readonly unknown[] = [
    undefined,
    {},
    options({ onFailure, publishableKey: 'sk_live_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' }),
    options({ onFailure, baseUrl: 'nowhere' }),
    options({ onFailure, storage: broken, fetch: server(() => opened).fetch }),
    options({ onFailure, fetch: server(() => ({ status: 200, body: '<html>' })).fetch }),
    options({ onFailure, fetch: never, timeoutMs: 20 }),
    options({
      onFailure,
      fetch: () => {
        throw new Error('no fetch');
      },
    }),
  ];
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  for (const setup of setups) {
    const client = new LinkClient(setup as LinkClientOptions);
    const calls = [
      client.createLink({ data: circular }),
      client.resolve(undefined as never),
      client.open(null as never),
      client.flush(),
      client.installId(),
    ];
    await t.resolves(Promise.all([...calls, client.track('x', { properties: circular }), client.track(1n as never)]));
  }
  t.ok(failures.length > 10);
});

t.test('an invalid key is neither stored nor sent', async (t) => {
  const kept = storage();
  const { fetch, sent } = server(() => opened);
  for (const publishableKey of [KEY.replace('pk_', 'sk_'), '', 'pk_live_short', undefined as never]) {
    const failures: { cause: unknown }[] = [];
    const client = new LinkClient(options({ storage: kept, fetch, publishableKey, onFailure: (failure) => failures.push(failure) }));
    t.equal(await client.open(), null);
    await client.track('x');
    t.match(String(failures[0]?.cause), /publishableKey/);
  }
  t.equal(sent.length, 0);
  t.equal(kept.values.size, 0);
});

t.test('without storage an installation lasts as long as the program', async (t) => {
  const { fetch, sent } = server(() => opened);
  const client = new LinkClient(options({ fetch, storage: { getItem: () => null, setItem: () => Promise.reject(new Error('full')) } }));
  const id = await client.installId();
  await client.open();
  await client.open();
  t.match(
    sent.map(({ body }) => body),
    [
      { install_id: id, first_open: true },
      { install_id: id, first_open: false },
    ],
  );
});

t.test('React Native and browsers report what they know of the device', async (t) => {
  const Dimensions = { get: () => ({ width: 393, height: 852 }) };
  const ios = reactNativeDevice({ Platform: { OS: 'ios', Version: '17.5.1' }, Dimensions, PixelRatio: { get: () => 3 } });
  t.match(ios, { os: 'ios', osVersion: '17.5.1', model: null, screen: '1179x2556' });
  t.equal(ios.timezone, Intl.DateTimeFormat().resolvedOptions().timeZone);
  const android = { OS: 'android', Version: 34, constants: { Release: '14', Model: 'Pixel 8' } };
  t.match(reactNativeDevice({ Platform: android }), { os: 'android', osVersion: '14', model: 'Pixel 8', screen: null });
  t.match(reactNativeDevice({ Platform: { OS: 'web', Version: 0 } }), { os: 'other', osVersion: null });
  const globals = globalThis as { navigator?: unknown };
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  t.teardown(() => (before === undefined ? delete globals.navigator : Object.defineProperty(globalThis, 'navigator', before)));
  for (const [userAgent, maxTouchPoints, os, osVersion] of [
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1',
      5,
      'ios',
      '17.5.1',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Version/26.1 Mobile/15E148 Safari/604.1',
      5,
      'ios',
      '26.1',
    ],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148', 5, 'ios', null],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_6_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148', 5, 'ios', '18.6.2'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15', 5, 'ios', null],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15', 0, 'other', null],
    ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile', 5, 'android', null],
    ['Mozilla/5.0 (Linux; Android 10; K; wv) AppleWebKit/537.36 Version/4.0 Chrome/140.0.0.0 Mobile', 5, 'android', null],
    ['Mozilla/5.0 (Android 14; Mobile; rv:125.0) Gecko/125.0 Firefox/125.0', 5, 'android', '14'],
  ] as const) {
    Object.defineProperty(globalThis, 'navigator', {
      value: { userAgent, maxTouchPoints, language: 'de-DE' },
      configurable: true,
      writable: true,
    });
    t.match(browserDevice(), { os, osVersion, language: 'de-DE' }, userAgent);
  }
});

t.test('a secret key is refused with a clear message, and is neither sent, stored nor repeated', async (t) => {
  const secret = `sk_live_${'a'.repeat(32)}`;
  const kept = storage();
  const { fetch, sent } = server(() => opened);
  const failures: string[] = [];
  const client = new LinkClient(
    options({ storage: kept, fetch, publishableKey: secret, onFailure: ({ cause }) => failures.push(String(cause)) }),
  );
  t.equal(await client.open(), null);
  t.match(failures, [/publishableKey is a secret key: it must not be in an app or a page/]);
  t.notMatch(failures.join(), secret);
  t.equal(sent.length, 0);
});

t.test('a setup that cannot work is reported on the console if there is no listener', async (t) => {
  const told: unknown[] = [];
  const { error } = console;
  console.error = (text: unknown) => told.push(text);
  t.teardown(() => {
    console.error = error;
  });
  new LinkClient(options({ publishableKey: `sk_test_${'a'.repeat(32)}` }));
  new LinkClient(options({ baseUrl: 'https://api.example.com/v2' }));
  new LinkClient(options({}));
  new LinkClient(options({ publishableKey: '', onFailure: () => {} }));
  t.match(told, [/is a secret key/, /ends with \/v2/]);
  t.equal(told.length, 2);
});

t.test('an address without an API version gets the version', async (t) => {
  const { fetch, sent } = server(() => opened);
  await new LinkClient(options({ fetch, baseUrl: 'https://api.example.com' })).open();
  t.equal(sent[0]?.operation, 'opens', 'the same as with the version');
});

t.test('a site keeps the click id from its address for its events, and a visit of a site is no open of an app', async (t) => {
  const place = globalThis as { location?: { search: string } };
  t.teardown(() => delete place.location);
  const kept = storage();
  const { fetch, sent } = server(() => storedEvent);
  const clicks = ['1', '2'].map((end) => `clk_01jd4v6xq8e5s0m3k7n9p2r4t${end}`);
  const tracked = async (search: string | undefined, details = {}): Promise<unknown> => {
    if (search === undefined) delete place.location;
    else place.location = { search };
    const client = new LinkClient(options({ storage: kept, fetch }));
    // The page may change its own URL.
    place.location = { search: '' };
    const before = sent.length;
    await client.track('purchase', details);
    await until(async () => sent.length > before, 'an event');
    return sent.at(-1)?.body.click_id;
  };
  t.equal(await tracked(undefined), null, 'an app has no address');
  t.equal(await tracked('?a=1'), null, 'a visitor who came by no link has no click');
  t.equal(await tracked(`?a=1&click_id=${clicks[0]}`), clicks[0]);
  t.equal(await tracked(''), clicks[0], 'on later pages too');
  t.equal(await tracked('?click_id=clk_x&b'), clicks[0], 'an invalid click id is ignored');
  t.equal(await tracked(`?click_id=${clicks[1]}`), clicks[1], 'a later click replaces it');
  t.equal(await tracked('', { clickId: clicks[0] }), clicks[0], 'an event may name its own click');
  const name = [...kept.values.keys()].find((key) => key.endsWith(':click')) as string;
  kept.values.set(name, JSON.stringify({ id: clicks[1], at: Date.now() - 31 * 86_400_000 }));
  t.equal(await tracked(''), null, 'for 30 days');
  for (const broken of ['{', 'null', '[]', '{"id":1}']) {
    kept.values.set(name, broken);
    t.equal(await tracked(''), null, broken);
  }
  t.same(new Set(sent.map(({ operation }) => operation)), new Set(['events']));
});
