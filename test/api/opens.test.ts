import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { FIND_OPEN_CLICK, LIST_CANDIDATES } from '../../control-plane/apps/sql.js';
import { type Click, DEVICE_KIND, withPlatformVersion } from '../../engine/spool/click.js';
import { openClickSpool } from '../../engine/spool/click-spool.js';
import { idTimeMs, newId } from '../../shared/base/ids.js';
import { CANDIDATE_CLICKS_MAX } from '../../shared/base/limits.js';
import { CLICK_KINDS } from '../../shared/records/records.js';
import { deriveClickIdKeys, newClickId } from '../../shared/secrets/click-id-keys.js';
import { makeFlusher } from '../support/click-log.js';
import { makeClick } from '../support/clicks.js';
import { TEST_SPOOL_KEYS } from '../support/spool-keys.js';
import { until } from '../support/until.js';
import { CHROME, SAFARI } from '../support/visitor.js';
import { type ApiAnswer, call } from './api-client.js';
import { startApiServer, TEST_SECRET_KEYS } from './api-server.js';

/** Tests that send clicks through a real spool and flusher, so that both halves have to agree on every key. */

/** What happens while an open waits: nothing, unless a test sets it. */
let whileWaiting: () => Promise<void> = async () => {};
const api = await startApiServer(t, { trustedProxyHops: 1, wait: () => whileWaiting() });
async function numberOf(environmentId: string): Promise<number> {
  const text = 'SELECT number FROM environments WHERE id = $1';
  const { rows } = await api.database.query<{ number: number }>({ text, values: [environmentId] });
  return rows[0]?.number as number;
}
const [liveNumber, testNumber] = await Promise.all([numberOf(api.live.id), numberOf(api.test.id)]);

/** Link hosts and the API share SECRETS_KEYS. */
const keys = { ...TEST_SPOOL_KEYS, clickIds: deriveClickIdKeys(TEST_SECRET_KEYS) };
const dir = join(t.testdir(), 'spool');
const spool = openClickSpool({ dir, bytesMax: 64 * 1024 * 1024, mapped: true, keys, clock: Date.now });
let flusher = makeFlusher({ databaseUrl: api.databaseUrl, dir, keys });
flusher.start();
t.teardown(async () => {
  spool.stop();
  await flusher.stop();
});

/** Appends clicks as a redirect process does. Returns their ids before they are shipped. */
function append(clicks: readonly Partial<Click>[]): readonly string[] {
  return clicks.map((overrides) => {
    const click = makeClick({ environment_number: liveNumber, occurred_at_ms: Date.now(), ...overrides });
    const id = spool.nextId(click.occurred_at_ms);
    if (!spool.append(click)) throw new Error('a click was dropped');
    return id;
  });
}

let shipped = 0;
async function untilShipped(count: number): Promise<void> {
  shipped += count;
  const stored = async () => {
    const { rows } = await api.database.query<{ count: number }>({ text: 'SELECT count(*)::integer AS count FROM clicks', values: [] });
    return rows[0]?.count === shipped;
  };
  await until(stored, `${shipped} clicks in the log`);
}

async function clicked(...clicks: readonly Partial<Click>[]): Promise<readonly string[]> {
  const ids = append(clicks);
  await untilShipped(clicks.length);
  return ids;
}

let networks = 0;
/** Returns an address that no other test uses. */
const newAddress = () => `203.0.${(++networks >> 8) + 1}.${networks & 255}`;

const IPHONE = { os: 'ios', os_version: '17.5.1' };
const userAgentOf = (version: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${version.replaceAll('.', '_')} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148`;
const INSTAGRAM = (model: string, language: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 331.0.0.37.90 (${model}; iOS 17_5_1; ${language}; ${language.replace('_', '-')}; scale=3.00; 1170x2532; 601330155)`;

interface Open {
  readonly address?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

function open(t: Test, { address = newAddress(), key = api.liveAppKey, headers = {}, ...fields }: Open = {}): Promise<ApiAnswer> {
  const body = { install_id: randomUUID(), first_open: true, device: IPHONE, ...fields };
  return call(t, api.baseUrl, 'POST /sdk/opens', { key, body, headers: { 'x-forwarded-for': address, ...headers } });
}

interface MadeLink {
  readonly id: string;
  readonly url: string;
  readonly path: string;
}

async function makeLink(t: Test, body: object = {}, key = api.liveKey): Promise<MadeLink> {
  return (await call(t, api.baseUrl, 'POST /links', { key, body })).json as MadeLink;
}

async function eventsOf(installId: string): Promise<readonly { type: string; data: Record<string, unknown> }[]> {
  const { rows } = await api.database.query<{ body: string }>({
    text: `SELECT body FROM events WHERE body::json -> 'data' ->> 'install_id' = $1 ORDER BY id`,
    values: [installId],
  });
  return rows.map(({ body }) => JSON.parse(body));
}

const NOTHING = { link: null, resource: null, deep_link_path: null, data: null, params: null };
const organic = (reason: string) => ({
  attribution: 'organic',
  match_type: null,
  guaranteed: false,
  matched_factors: [],
  reason,
  click_id: null,
  ...NOTHING,
});

t.test('a first open that no click fits is organic, says why, and emits install.organic', async (t) => {
  const installId = randomUUID();
  const { status, json } = await open(t, { install_id: installId });
  t.equal(status, 200);
  t.same(json, organic('no_candidate'));
  const [event, ...more] = await eventsOf(installId);
  t.match(event, { type: 'install.organic', data: { attribution: 'organic', reason: 'no_candidate', link_id: null, platform: 'ios' } });
  t.same(more, []);
});

t.test('a click from the same address and version of the system is found, is used up, and hands everything over', async (t) => {
  const link = await makeLink(t, { deep_link_path: '/p/1', data: { z: 1, a: [2] }, allow_param_passthrough: true });
  const address = newAddress();
  const [id] = await clicked({ subject_id: link.id, address_text: address, query: 'ref=a&ref=b&x=%C3%BC' });
  const installId = randomUUID();
  const { json } = await open(t, { install_id: installId, address });
  t.same(json, {
    attribution: 'attributed',
    match_type: 'probabilistic',
    guaranteed: false,
    matched_factors: ['address', 'os_version'],
    reason: 'matched',
    click_id: id,
    link: { id: link.id, url: link.url, path: link.path, campaign: null },
    resource: null,
    deep_link_path: '/p/1',
    data: { z: 1, a: [2] },
    params: { ref: 'a', x: 'ü' },
  });
  const [event] = await eventsOf(installId);
  t.match(event, {
    type: 'install.attributed',
    data: { attribution: 'attributed', click_id: id, link_id: link.id, deep_link_path: '/p/1', data: { z: 1 }, params: { x: 'ü' } },
  });
  t.same((await open(t, { address })).json, organic('no_candidate'), 'another installation finds it used');
});

t.test('the click of a long link hands over the route of the long link, while the environment has them', async (t) => {
  const link = await makeLink(t, { deep_link_path: '/own', allow_param_passthrough: true });
  const patch = (body: object) => call(t, api.baseUrl, 'PATCH /environment', { key: api.liveKey, body });
  const query = `link=${encodeURIComponent('https://www.shop.example/shoes/1?size=44')}&apn=com.shop&gclid=7`;
  const opened = async () => {
    const address = newAddress();
    await clicked({ subject_id: link.id, address_text: address, query });
    return (await open(t, { address })).json;
  };
  await patch({ long_link_hosts: ['www.shop.example'], long_link_path: link.path });
  t.match(await opened(), { link: { id: link.id }, deep_link_path: '/shoes/1?size=44', params: { gclid: '7', apn: undefined } });
  await patch({ long_link_hosts: [] });
  t.match(await opened(), { link: { id: link.id }, deep_link_path: '/own' });
});

t.test('an item of a template hands its route, data and parameters over, by click and by URL', async (t) => {
  const type = await call(t, api.baseUrl, 'POST /resource-types', { key: api.liveKey, body: { key: 'product', name: 'Product' } });
  const template = await call(t, api.baseUrl, 'POST /url-templates', {
    key: api.liveKey,
    body: {
      resource_type_id: type.json.id,
      path_pattern: '/products/{id}',
      id_format: { kind: 'charset', charset: 'a-zA-Z0-9 ', min_length: 1, max_length: 20 },
      deep_link_path: '/{type}/{id}',
      data: { item: '{id}' },
      allow_param_passthrough: true,
    },
  });
  const resource = { resource_type: 'product', id: 'A 1', template_id: template.json.id };
  const delivered = { link: null, resource, deep_link_path: '/product/A%201', data: { item: 'A 1' }, params: { ref: 'x' } };
  const address = newAddress();
  await clicked({
    kind: CLICK_KINDS.indexOf('template'),
    subject_id: template.json.id,
    resource_type_id: type.json.id,
    item_id: 'A 1',
    address_text: address,
    query: 'ref=x',
  });
  const installId = randomUUID();
  t.match((await open(t, { install_id: installId, address })).json, { match_type: 'probabilistic', ...delivered });
  t.match(await eventsOf(installId), [{ data: { resource_type: 'product', item_id: 'A 1', link_id: null } }]);
  const url = `https://${api.live.link_host}/products/A%201?ref=x`;
  t.match((await open(t, { opened_url: url })).json, { match_type: 'opened_url', guaranteed: false, ...delivered });
  await clicked({ kind: 1, subject_id: template.json.id, resource_type_id: type.json.id, item_id: 'A 1', address_text: address });
  await call(t, api.baseUrl, `PATCH /url-templates/${template.json.id}`, { key: api.liveKey, body: { status: 'disabled' } });
  t.match((await open(t, { address })).json, { attribution: 'attributed', ...NOTHING, resource }, 'a disabled template shows nothing');
});

t.test('the rules are asked in their order: URL, referrer, clipboard, address', async (t) => {
  const links = await Promise.all([1, 2, 3, 4].map(() => makeLink(t)));
  const address = newAddress();
  const phone = (index: number, address_text: string) => ({ subject_id: links[index]?.id as string, address_text });
  const [referred, copied, near] = await clicked(phone(1, newAddress()), phone(2, newAddress()), phone(3, address));
  const all = {
    address,
    opened_url: links[0]?.url,
    play_referrer: `utm_source=x&click_id=${referred}`,
    clipboard: ` ${links[2]?.url}?click_id=${copied}\n`,
  };
  const asked: readonly [object, object][] = [
    [all, { match_type: 'opened_url', click_id: null, matched_factors: ['opened_url'], link: { id: links[0]?.id } }],
    [
      { ...all, opened_url: 'https://other.example/x' },
      { match_type: 'play_referrer', click_id: referred, matched_factors: ['click_id'] },
    ],
    [
      { ...all, opened_url: null },
      { match_type: 'clipboard', click_id: copied, matched_factors: ['clipboard_token'] },
    ],
    [
      { ...all, opened_url: null },
      { match_type: 'probabilistic', click_id: near, matched_factors: ['address', 'os_version'] },
    ],
    [{ ...all, opened_url: null }, organic('click_used')],
  ];
  for (const [given, expected] of asked) t.match((await open(t, given as Open)).json, expected);
});

t.test('a click that is named counts once, in its environment and within its time, of people and of programs', async (t) => {
  const link = await makeLink(t);
  const DAY_MS = 86_400_000;
  const MINUTE_MS = 60_000;
  const at = (ago: number) => ({ subject_id: link.id, address_text: '198.18.0.1', occurred_at_ms: Date.now() - ago });
  const ids = await clicked(
    at(89 * DAY_MS),
    at(90 * DAY_MS + MINUTE_MS),
    at(119 * MINUTE_MS),
    at(121 * MINUTE_MS),
    { ...at(0), environment_number: testNumber },
    { ...at(0), bot_reason: 'isbot' },
    {
      ...{ ...at(0), user_agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/131.0.0.0' },
      destination: 'https://play.google.com/store/apps/details?id=com.example',
    },
  );
  const [young, old, fresh, stale, foreign, bot, desktop] = ids as [string, string, string, string, string, string, string];
  const unknown = `clk_${'0'.repeat(26)}`;
  const future = 'clk_7zzzzzzzzzzzzzzzzzzzzzzzzz';
  const cases: readonly [object, object][] = [
    [{ play_referrer: `click_id=${young}` }, { match_type: 'play_referrer', guaranteed: true, click_id: young }],
    [{ play_referrer: `click_id=${young}` }, organic('click_used')],
    [{ play_referrer: `click_id=${old}` }, organic('click_expired')],
    [{ clipboard: fresh }, { match_type: 'clipboard', guaranteed: true, click_id: fresh }],
    [{ clipboard: fresh }, organic('click_used')],
    [{ clipboard: stale }, organic('click_expired')],
    [{ play_referrer: `click_id%3D${foreign}` }, organic('click_unknown')],
    [{ play_referrer: `click_id=${bot}` }, { match_type: 'play_referrer', guaranteed: true, click_id: bot }],
    [{ play_referrer: `click_id=${bot}` }, organic('click_used')],
    [{ play_referrer: `click_id=${desktop}` }, { match_type: 'play_referrer', guaranteed: true, click_id: desktop }],
    [{ play_referrer: `click_id=${unknown}` }, organic('click_expired')],
    [{ play_referrer: `click_id=${future}` }, organic('click_unknown')],
    [{ play_referrer: 'utm_source=google-play&utm_medium=organic' }, organic('no_candidate')],
    [{ clipboard: 'a shopping list', play_referrer: '' }, organic('no_candidate')],
  ];
  for (const [given, expected] of cases) t.match((await open(t, given as Open)).json, expected, JSON.stringify(given));
  const inTest = await open(t, { play_referrer: `click_id%3D${foreign}`, key: api.testAppKey });
  t.match(inTest.json, { match_type: 'play_referrer', click_id: foreign, ...NOTHING }, 'its link belongs to the other environment');
  const inLive = await open(t, { play_referrer: `click_id=${foreign}` });
  t.same(inLive.json, organic('click_unknown'), 'nobody is told that another environment has used it');
});

t.test('two clicks that fit are ambiguous, and are both left', async (t) => {
  const address = newAddress();
  await clicked({ address_text: address }, { address_text: address, subject_id: newId('link') });
  t.same((await open(t, { address })).json, organic('ambiguous'));
  t.same((await open(t, { address, device: { ...IPHONE, language: 'de-DE', timezone: 'Europe/Berlin' } })).json, organic('ambiguous'));
});

t.test('several clicks of one visitor on one link are one candidate, of which the newest is consumed', async (t) => {
  const address = newAddress();
  const subject_id = newId('link');
  const ago = (ms: number) => ({ address_text: address, subject_id, occurred_at_ms: Date.now() - ms });
  const [, newest] = await clicked(ago(60_000), ago(10_000), ago(30_000));
  t.match((await open(t, { address })).json, { match_type: 'probabilistic', click_id: newest });
  const elsewhere = newAddress();
  const safari = (version: string) => ({ address_text: elsewhere, subject_id, user_agent: `${userAgentOf('17.5.1')} Safari/${version}` });
  await clicked(safari('604.1'), safari('604.1'), safari('604.2'));
  t.same((await open(t, { address: elsewhere })).json, organic('ambiguous'), 'two visitors of one link');
});

t.test('the visits of one visitor to one link or item are one installation, however many apps are opened there', async (t) => {
  const item = { kind: CLICK_KINDS.indexOf('template'), subject_id: newId('urlTemplate'), resource_type_id: newId('resourceType') };
  for (const subject of [{ subject_id: newId('link') }, { ...item, item_id: '7' }]) {
    const address = newAddress();
    const visit = (ago: number) => ({ ...subject, address_text: address, occurred_at_ms: Date.now() - ago });
    const [, , newest] = await clicked(visit(2_000), visit(1_000), visit(0));
    t.match((await open(t, { address })).json, { match_type: 'probabilistic', click_id: newest });
    for (let other = 0; other < 3; other++) t.same((await open(t, { address })).json, organic('no_candidate'));
  }
});

t.test('a visit that is named takes the older ones of its visitor out of the candidates, and no newer one', async (t) => {
  const link = await makeLink(t);
  const cases: readonly ((id: string) => Open)[] = [
    (id) => ({ play_referrer: `click_id=${id}` }),
    (id) => ({ clipboard: id }),
    (id) => ({ opened_url: `${link.url}?click_id=${id}` }),
    (id) => ({ opened_url: `${link.url}?click_id=${id}`, first_open: false }),
  ];
  for (const named of cases) {
    const address = newAddress();
    const visit = (ago: number) => ({ subject_id: link.id, address_text: address, occurred_at_ms: Date.now() - ago });
    const [oldest, older, newer] = (await clicked(visit(3_000), visit(2_000), visit(1_000))) as [string, string, string];
    t.match((await open(t, named(older))).json, { guaranteed: true, click_id: older });
    t.match((await open(t, { address })).json, { match_type: 'probabilistic', click_id: newer });
    t.same((await open(t, { address })).json, organic('no_candidate'));
    t.match((await open(t, { play_referrer: `click_id=${oldest}` })).json, { guaranteed: true, click_id: oldest }, 'nobody has used it');
    t.same((await open(t, { play_referrer: `click_id=${oldest}` })).json, organic('click_used'));
  }
});

t.test('of installations that come together one gets the visits of one visitor', async (t) => {
  const [address, subject_id] = [newAddress(), newId('link')];
  const visit = (ago: number) => ({ subject_id, address_text: address, occurred_at_ms: Date.now() - ago });
  const ids = await clicked(visit(2_000), visit(1_000), visit(0));
  const answers = await Promise.all(Array.from({ length: 6 }, () => open(t, { address })));
  t.same(
    answers.map(({ status }) => status),
    Array(6).fill(200),
  );
  t.same(
    answers.flatMap(({ json }) => json.click_id ?? []),
    [ids[2]],
  );
});

/** The report of a click's page, as the redirect process records it. */
const told = (clickId: string, address_text: string, device: { version?: string; model?: string } = {}): Partial<Click> => ({
  kind: DEVICE_KIND,
  occurred_at_ms: idTimeMs('click', clickId) as number,
  subject_id: clickId,
  user_agent: withPlatformVersion(CHROME, device.version ?? '14'),
  platform_hint: 'android',
  item_id: device.model ?? 'Pixel 8',
  address_text,
});
const ANDROID_14 = { os: 'android', os_version: '14', model: 'Pixel 8' };

let reports = 0;
/** Appends reports, and waits until they are stored. `stored` of them are new. */
async function tell(stored: number, ...devices: readonly Partial<Click>[]): Promise<void> {
  reports += stored;
  append(devices);
  await until(async () => {
    const { rows } = await api.database.query<{ count: number }>({
      text: 'SELECT count(*)::integer AS count FROM click_devices',
      values: [],
    });
    return rows[0]?.count === reports;
  }, `${reports} reports of pages`);
}

t.test('a first visit of Chrome on Android matches by what its page has told', async (t) => {
  const link = await makeLink(t, { deep_link_path: '/p/2' });
  const address = newAddress();
  const [id] = await clicked({ address_text: address, user_agent: CHROME, subject_id: link.id });
  t.same((await open(t, { address, device: ANDROID_14 })).json, organic('no_candidate'), 'the click alone names no version');
  await tell(1, told(id as string, address));
  t.same((await open(t, { address, device: { ...ANDROID_14, os_version: '13' } })).json, organic('no_candidate'));
  t.match((await open(t, { address, device: ANDROID_14 })).json, {
    attribution: 'attributed',
    match_type: 'probabilistic',
    guaranteed: false,
    matched_factors: ['address', 'os_version', 'model'],
    click_id: id,
    deep_link_path: '/p/2',
  });
  reports--;
  t.same((await open(t, { address, device: ANDROID_14 })).json, organic('no_candidate'), 'it is used, and its report with it');
  await tell(1, told(id as string, address));
  t.same((await open(t, { address, device: ANDROID_14 })).json, organic('no_candidate'), 'a report brings no used click back');
});

t.test('a report may come before its click, twice, and from several people at once', async (t) => {
  const address = newAddress();
  await flusher.stop();
  const [first, second] = append([
    { address_text: address, user_agent: CHROME },
    { address_text: address, user_agent: CHROME },
  ]) as [string, string];
  const laterDir = join(t.testdir(), 'other-host');
  const other = openClickSpool({ dir: laterDir, bytesMax: 64 * 1024 * 1024, mapped: true, keys, clock: Date.now });
  const report = (id: string, device?: object) => other.append(makeClick({ environment_number: liveNumber, ...told(id, address, device) }));
  report(first);
  report(first, { version: '13' });
  report(second, { model: 'Pixel 9' });
  const otherFlusher = makeFlusher({ databaseUrl: api.databaseUrl, dir: laterDir, keys });
  otherFlusher.start();
  await tell(2);
  other.stop();
  await otherFlusher.stop();
  flusher = makeFlusher({ databaseUrl: api.databaseUrl, dir, keys });
  flusher.start();
  await untilShipped(2);
  t.same(
    (await open(t, { address, device: { ...ANDROID_14, os_version: '13' } })).json,
    organic('no_candidate'),
    'the first report counts',
  );
  t.same((await open(t, { address, device: { ...ANDROID_14, model: null } })).json, organic('ambiguous'), 'two phones');
  t.match((await open(t, { address, device: ANDROID_14 })).json, { click_id: first });
  t.match((await open(t, { address, device: { ...ANDROID_14, model: 'Pixel 9' } })).json, { click_id: second });
  reports -= 2;
});

t.test('two looks of one phone are one candidate though the page has told of the first alone', async (t) => {
  const address = newAddress();
  const subject_id = newId('link');
  const now = Date.now();
  const [first, second] = await clicked(
    { address_text: address, user_agent: CHROME, subject_id, occurred_at_ms: now - 60_000 },
    { address_text: address, user_agent: withPlatformVersion(CHROME, '14'), platform_hint: 'android', subject_id, occurred_at_ms: now },
  );
  await tell(1, told(first as string, address));
  t.match((await open(t, { address, device: ANDROID_14 })).json, { click_id: second });
  t.same((await open(t, { address, device: ANDROID_14 })).json, organic('no_candidate'), 'the older look is the same candidate');
  reports--;
});

t.test('a report from another network, of another environment or of a click that names its version changes nothing', async (t) => {
  const [address, elsewhere] = [newAddress(), newAddress()];
  const [plain, foreign, named] = (await clicked(
    { address_text: address, user_agent: CHROME },
    { address_text: address, user_agent: CHROME, environment_number: testNumber },
    { address_text: address, user_agent: userAgentOf('17.5.1') },
  )) as [string, string, string];
  await tell(4, told(plain, elsewhere), told(foreign, address), told(named, address), told(newId('click'), address));
  for (const from of [address, elsewhere])
    t.same((await open(t, { address: from, device: ANDROID_14 })).json, organic('no_candidate'), from);
  t.match((await open(t, { address })).json, { click_id: named });
  reports--;
});

t.test('a flood of reports hides no click, and costs a bounded look', async (t) => {
  const address = newAddress();
  const [id] = (await clicked({ address_text: address, user_agent: CHROME })) as [string];
  const flood = Array.from({ length: CANDIDATE_CLICKS_MAX + 5 }, () => told(newClickId(keys.clickIds, Date.now()), address));
  await tell(1, told(id, address));
  await tell(flood.length, ...flood);
  t.same((await open(t, { address, device: ANDROID_14 })).json, organic('ambiguous'), 'a crowd: nothing is guessed');
});

t.test('an iPad that calls itself a Mac matches as iOS once its page has told', async (t) => {
  const address = newAddress();
  const [id] = await clicked({ address_text: address, user_agent: SAFARI, destination: '' });
  const device = { os: 'ios', os_version: '17.5.1', model: 'iPad14,1' };
  t.same((await open(t, { address, device })).json, organic('no_candidate'));
  const report = { ...told(id as string, address), user_agent: withPlatformVersion(SAFARI, '17.5'), platform_hint: 'ios', item_id: '' };
  await tell(1, report);
  t.match((await open(t, { address, device })).json, {
    match_type: 'probabilistic',
    click_id: id,
    matched_factors: ['address', 'os_version'],
  });
  reports--;
});

t.test('language, screen and model tell several apart, and nothing else', async (t) => {
  const address = newAddress();
  const app = (model: string, language: string) => ({ address_text: address, user_agent: INSTAGRAM(model, language) });
  const [one, two] = await clicked(app('iPhone14,5', 'de_DE'), app('iPhone15,2', 'en_US'));
  const device = (facts: object) => ({ address, device: { ...IPHONE, ...facts } });
  t.same((await open(t, device({}))).json, organic('ambiguous'), 'the device says nothing');
  t.same((await open(t, device({ language: 'fr-FR' }))).json, organic('ambiguous'), 'everything speaks against both');
  t.same((await open(t, device({ screen: '2532x1170' }))).json, organic('ambiguous'), 'both agree');
  const first = await open(t, device({ language: 'en', screen: '1170x2532', timezone: 'Europe/Berlin' }));
  t.match(first.json, { click_id: two, matched_factors: ['address', 'os_version', 'language', 'screen'] });
  const alone = await open(t, device({ language: 'fr-FR', model: 'iPhone1,1' }));
  t.match(alone.json, { click_id: one, matched_factors: ['address', 'os_version'] }, 'what is left alone needs no tie-breaker');
});

t.test('a click of another version, platform, environment, network or time, or of a bot, is no candidate', async (t) => {
  const address = newAddress();
  const window = 120 * 60_000;
  const others: readonly Partial<Click>[] = [
    { user_agent: userAgentOf('17.4.1') },
    { user_agent: userAgentOf('16.5') },
    { user_agent: 'Mozilla/5.0 (Linux; Android 17.5; Pixel 8; wv) AppleWebKit/537.36' },
    { user_agent: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile' },
    { user_agent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 17_5) AppleWebKit/605.1.15' },
    { environment_number: testNumber },
    { address_text: newAddress() },
    { occurred_at_ms: Date.now() - window - 1_000 },
    { bot_reason: 'prefetch' },
  ];
  await clicked(...others.map((other) => ({ address_text: address, ...other })));
  t.same((await open(t, { address })).json, organic('no_candidate'));
  const [id] = await clicked({ address_text: address, occurred_at_ms: Date.now() - window + 10_000, user_agent: userAgentOf('17.5') });
  t.match((await open(t, { address })).json, { click_id: id }, 'the last number of a version does not count');
});

t.test('the attribution window is the environment’s, and reaches over midnight and over days', async (t) => {
  const address = newAddress();
  const patch = (attribution_window_minutes: number) =>
    call(t, api.baseUrl, 'PATCH /environment', { key: api.liveKey, body: { attribution_window_minutes } });
  await patch(10_080);
  const [id] = await clicked({ address_text: address, occurred_at_ms: Date.now() - 6 * 86_400_000 });
  t.match((await open(t, { address })).json, { click_id: id });
  await patch(1);
  await clicked({ address_text: address, occurred_at_ms: Date.now() - 61_000 });
  t.same((await open(t, { address })).json, organic('no_candidate'));
  await patch(120);
});

t.test('private, shared and relay addresses never match, and a device that says too little does not either', async (t) => {
  for (const address of [
    '10.1.2.3',
    '192.168.1.1',
    '172.16.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.1.1',
    'fd00::1',
    '172.225.1.1',
    '104.28.1.1',
  ]) {
    await clicked({ address_text: address });
    t.same((await open(t, { address })).json, organic('address_not_matchable'), address);
  }
  const address = newAddress();
  await clicked({ address_text: address });
  for (const device of [{ os: 'ios' }, { os: 'ios', os_version: 'x' }, { os: 'other', os_version: '17.5' }])
    t.same((await open(t, { address, device })).json, organic('os_version_unknown'));
});

t.test('an IPv6 address is its network', async (t) => {
  const [id] = await clicked({ address_text: '2a01:4f8:1:2:aaaa::1' });
  t.same((await open(t, { address: '2a01:4f8:1:3::1' })).json, organic('no_candidate'));
  t.match((await open(t, { address: '2a01:4f8:1:2:bbbb::2' })).json, { click_id: id });
});

t.test('a retried first open is one installation with one answer, byte for byte, also at once and on another server', async (t) => {
  const address = newAddress();
  await clicked({ address_text: address });
  const other = await startApiServer(t, { databaseUrl: api.databaseUrl, trustedProxyHops: 1, wait: async () => {} });
  const body = { install_id: randomUUID(), first_open: true, device: IPHONE };
  const headers = { 'x-forwarded-for': address };
  const line = 'POST /sdk/opens';
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => call(t, (index % 2 ? api : other).baseUrl, line, { key: api.liveAppKey, body, headers })),
  );
  const texts = new Set(answers.map(({ text }) => text));
  t.equal(texts.size, 1);
  t.match([...texts][0], '"attribution":"attributed"');
  const changed = { ...body, device: { os: 'android' }, opened_url: 'https://example.com/' };
  t.equal(
    (await call(t, other.baseUrl, line, { key: api.liveAppKey, body: changed })).text,
    [...texts][0],
    'whatever it says the next time',
  );
  t.equal((await eventsOf(body.install_id)).length, 1);
  const { rows } = await api.database.query({ text: 'SELECT 1 FROM installs WHERE install_id = $1', values: [body.install_id] });
  t.equal(rows.length, 1);
  const elsewhere = await call(t, api.baseUrl, line, { key: api.testAppKey, body, headers });
  t.same(elsewhere.json, organic('no_candidate'), 'the other environment has installations of its own');
});

t.test('a click goes to one of many installations that ask at once', async (t) => {
  const address = newAddress();
  const [id] = await clicked({ address_text: address });
  const answers = await Promise.all(Array.from({ length: 12 }, () => open(t, { address })));
  t.equal(answers.filter(({ json }) => json.click_id === id).length, 1);
  t.equal(answers.filter(({ json }) => json.reason === 'no_candidate').length, 11);
});

t.test('a known installation that is opened through a link is reengaged; without one nothing is told', async (t) => {
  const link = await makeLink(t, { deep_link_path: '/again', allow_param_passthrough: true });
  const installId = randomUUID();
  await open(t, { install_id: installId });
  const again = await open(t, { install_id: installId, first_open: false, opened_url: `${link.url}?ref=push` });
  const delivered = { link: { id: link.id }, deep_link_path: '/again', params: { ref: 'push' } };
  t.match(again.json, { attribution: 'reengaged', match_type: 'opened_url', guaranteed: false, reason: 'matched', ...delivered });
  t.match((await eventsOf(installId))[1], { type: 'open.reengaged', data: { attribution: 'reengaged', link_id: link.id } });
  for (const opened_url of [undefined, null, 'https://other.example/', 'app://home'])
    t.same((await open(t, { install_id: installId, first_open: false, opened_url })).json, organic('no_link'));
  t.equal((await eventsOf(installId)).length, 2);
  const key = { 'idempotency-key': randomUUID() };
  const fields = { install_id: installId, first_open: false, opened_url: link.url, headers: key };
  t.equal((await open(t, fields)).text, (await open(t, fields)).text);
  t.equal((await eventsOf(installId)).length, 3, 'a retry with its key emits nothing');
});

t.test('a URL that carries its click uses it up, at a first open and at a later one', async (t) => {
  const link = await makeLink(t, { allow_param_passthrough: true });
  const address = newAddress();
  for (const first_open of [true, false]) {
    const [id] = await clicked({ subject_id: link.id, address_text: address });
    const { json } = await open(t, { first_open, opened_url: `${link.url}?click_id=${id}&ref=x` });
    t.match(json, { match_type: 'opened_url', click_id: id, params: { ref: 'x' } });
    t.same((await open(t, { address })).json, organic('no_candidate'));
  }
});

t.test('whatever data and parameters a link hands over, its opens are recorded and answered again', async (t) => {
  for (const odd of ['\0', 'a\\u0000', '\ud800', '\u{1f600}']) {
    const link = await makeLink(t, { allow_param_passthrough: true, data: { odd, list: [odd] } });
    const installId = randomUUID();
    const fields = { install_id: installId, first_open: true, opened_url: `${link.url}?x=%00&y=1` };
    const first = await open(t, fields);
    t.match(first.json, { match_type: 'opened_url', data: { odd }, params: { y: '1' } });
    t.equal((await open(t, fields)).text, first.text);
    const { json } = await call(t, api.baseUrl, `GET /installs/${installId}`, { key: api.liveKey });
    t.match(json, { link_id: link.id, guaranteed: false });
    t.equal((await open(t, { ...fields, first_open: false })).json.attribution, 'reengaged');
  }
});

t.test('a click id of a year that nobody can write is none', async (t) => {
  const link = await makeLink(t, {});
  for (const first_open of [true, false]) {
    const answer = await open(t, { first_open, opened_url: `${link.url}?click_id=clk_7${'z'.repeat(25)}` });
    t.match(answer.json, { match_type: 'opened_url', click_id: null });
  }
});

t.test('a click outlives the expiry of its link, not the decision of a person', async (t) => {
  const address = newAddress();
  const soon = new Date(Date.now() + 400).toISOString();
  const cases: readonly [object, string, { readonly deep_link_path: string | null; readonly data: object | null }][] = [
    [{ expires_at: soon }, '', { deep_link_path: '/x', data: { a: 1 } }],
    [{}, 'PATCH', { deep_link_path: null, data: null }],
    [{}, 'DELETE', { deep_link_path: null, data: null }],
  ];
  for (const [fields, method, shown] of cases) {
    const link = await makeLink(t, { deep_link_path: '/x', data: { a: 1 }, ...fields });
    const [id] = await clicked({ subject_id: link.id, address_text: address });
    if (method !== '')
      await call(t, api.baseUrl, `${method} /links/${link.id}`, {
        key: api.liveKey,
        ...(method === 'PATCH' ? { body: { status: 'disabled' } } : {}),
      });
    else await new Promise((resolve) => setTimeout(resolve, 450));
    const { json } = await open(t, { address });
    t.match(json, { attribution: 'attributed', click_id: id, link: { id: link.id }, params: null, ...shown }, method || 'expired');
  }
});

t.test('an installation counts for the link or item of its click, whatever has become of that since', async (t) => {
  const post = async (path: string, body: object) => (await call(t, api.baseUrl, `POST ${path}`, { key: api.liveKey, body })).json;
  const patch = (path: string, body: object) => call(t, api.baseUrl, `PATCH ${path}`, { key: api.liveKey, body });
  const campaign = await post('/campaigns', { key: 'lasting', name: 'Lasting' });
  const installed = async (click: Partial<Click>, change: (() => Promise<unknown>) | null) => {
    const address = newAddress();
    const [click_id] = await clicked({ ...click, address_text: address });
    await change?.();
    const install_id = randomUUID();
    t.match((await open(t, { install_id, address })).json, { attribution: 'attributed', click_id });
    const { json: install } = await call(t, api.baseUrl, `GET /installs/${install_id}`, { key: api.liveKey });
    const event = await post('/events', { name: 'bought', install_id });
    return [install, event].map(({ link_id, resource_type, item_id }) => [link_id, resource_type, item_id]);
  };
  for (const change of ['none', 'disabled', 'deleted']) {
    const link = await makeLink(t, { campaign: campaign.key });
    const changes: Record<string, () => Promise<unknown>> = {
      disabled: () => patch(`/links/${link.id}`, { status: 'disabled' }),
      deleted: () => call(t, api.baseUrl, `DELETE /links/${link.id}`, { key: api.liveKey }),
    };
    const own = [link.id, null, null];
    t.strictSame(await installed({ subject_id: link.id }, changes[change] ?? null), [own, own], change);
  }
  const items: Record<string, (template: string, type: string) => Promise<unknown>> = {
    disabled: (template) => patch(`/url-templates/${template}`, { status: 'disabled' }),
    archived: (template) => patch(`/url-templates/${template}`, { status: 'archived' }),
    type_archived: (_, type) => patch(`/resource-types/${type}`, { status: 'archived' }),
  };
  for (const [change, make] of Object.entries(items)) {
    const key = `lasting-${change}`.replace('_', '-');
    const type = await post('/resource-types', { key, name: key });
    const template = await post('/url-templates', {
      ...{ resource_type_id: type.id, path_pattern: `/${key}/{id}`, id_format: { kind: 'preset', preset: 'numeric' } },
      deep_link_path: '/{id}',
    });
    const click = { kind: CLICK_KINDS.indexOf('template'), subject_id: template.id, resource_type_id: type.id, item_id: '7' };
    const own = [null, key, '7'];
    t.strictSame(await installed(click, () => make(template.id, type.id)), [own, own], change);
  }
  const { json } = await call(t, api.baseUrl, 'GET /stats/conversions?campaign=lasting', { key: api.liveKey });
  t.match(json, { totals: { installs: 3, events: 3 } });
});

t.test('an open that comes before its click waits for it', async (t) => {
  const address = newAddress();
  const link = await makeLink(t);
  const given: readonly ((id: string) => object)[] = [
    (id) => ({ play_referrer: `click_id=${id}` }),
    (id) => ({ clipboard: id }),
    () => ({ address }),
    (id) => ({ opened_url: `${link.url}?click_id=${id}` }),
  ];
  for (const fields of given) {
    let waits = 0;
    await flusher.stop();
    const [id] = append([{ subject_id: link.id, address_text: address }]);
    whileWaiting = async () => {
      if (++waits === 2) {
        flusher = makeFlusher({ databaseUrl: api.databaseUrl, dir, keys });
        flusher.start();
        await untilShipped(1);
      }
    };
    t.match((await open(t, fields(id as string) as Open)).json, { click_id: id });
    t.equal(waits, 2);
  }
  await flusher.stop();
  const [again] = append([{ subject_id: link.id, address_text: address }]);
  whileWaiting = async () => {
    flusher = makeFlusher({ databaseUrl: api.databaseUrl, dir, keys });
    flusher.start();
    await untilShipped(1);
  };
  const later = await open(t, { first_open: false, opened_url: `${link.url}?click_id=${again}` });
  t.match(later.json, { attribution: 'reengaged', click_id: again, guaranteed: true }, 'a later open uses it up as well');
  let waits = 0;
  whileWaiting = async () => void waits++;
  t.match((await open(t, { play_referrer: `click_id=${newId('click')}`, address: '10.0.0.1' })).json, { reason: 'click_unknown' });
  t.equal(waits, 0, 'nor for an id that nobody signed');
  await open(t, { address: '10.0.0.1' });
  t.equal(waits, 0, 'anyone who has nothing to be found by waits for nothing');
  await open(t);
  t.equal(waits, 5);
  whileWaiting = async () => {};
});

t.test('candidates are a short range of an index, however many clicks are open', async (t) => {
  const fill = (key: string, count: number) =>
    api.database.query({
      text: `INSERT INTO open_clicks (id, occurred_at, environment_number, platform, kind, subject_id, match_key)
             SELECT gen_random_uuid(), now() - interval '1 second', $1, 'ios', 'link', gen_random_uuid(), coalesce($2::bigint, n)
             FROM generate_series(1, $3) AS n`,
      values: [liveNumber, key === '' ? null : key, count],
    });
  await fill('', 20_000);
  await fill('-42', 5_000);
  // Soon after midnight, the previous day is searched as well. Without any click, the plan would read all of that empty day, and
  // sort today's clicks.
  await api.database.query({
    text: `WITH partition AS MATERIALIZED (SELECT ensure_day_partition('open_clicks', (now() AT TIME ZONE 'UTC')::date - 1))
           INSERT INTO open_clicks (id, occurred_at, environment_number, platform, kind, subject_id, match_key)
           SELECT gen_random_uuid(), now() - interval '1 day', $1, 'ios', 'link', gen_random_uuid(), n FROM generate_series(1, 20000) AS n`,
    values: [liveNumber],
  });
  await api.database.query({
    text: `INSERT INTO click_devices (click_id, occurred_at, environment_number, seen_key, match_key)
           SELECT gen_random_uuid(), now() - interval '1 second', $1, n, CASE WHEN n <= 5000 THEN -42 ELSE n END FROM generate_series(1, 20000) AS n`,
    values: [liveNumber],
  });
  await api.database.query({ text: 'ANALYZE open_clicks, click_devices', values: [] });
  const plan = async (text: string, values: readonly unknown[]) => {
    const { rows } = await api.database.query<ExplainRow>({ text: `EXPLAIN (ANALYZE, FORMAT json) ${text}`, values });
    return nodesOf((rows[0] as ExplainRow)['QUERY PLAN'][0].Plan).filter((node) => 'Relation Name' in node && node['Actual Loops'] !== 0);
  };
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const candidates = await plan(LIST_CANDIDATES, [['-42', '17'], at(-7_200_000), at(60_000), 21]);
  const named = await plan(FIND_OPEN_CLICK, [randomUUID(), at(0), liveNumber]);
  t.equal(
    candidates.reduce((sum, scan) => sum + (scan['Actual Rows'] as number) * (scan['Actual Loops'] as number), 0),
    21,
  );
  for (const scan of [...candidates, ...named]) {
    t.equal(scan['Node Type'], 'Index Scan');
    t.notOk(scan['Rows Removed by Filter'], 'nothing is read and thrown away');
  }
  t.ok(named.length > 0);
});

interface ExplainRow {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }];
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

t.test('first opens by a URL alone are counted for each address; other first opens go on', async (t) => {
  const limited = await startApiServer(t, {
    databaseUrl: api.databaseUrl,
    urlOpensPerMinute: 2,
    trustedProxyHops: 1,
    wait: async () => {},
  });
  const { json: link } = await call(t, limited.baseUrl, 'POST /links', { key: limited.liveKey, body: {} });
  const report = (address: string, evidence: object, installId: string = randomUUID()) =>
    call(t, limited.baseUrl, 'POST /sdk/opens', {
      key: limited.liveAppKey,
      body: { install_id: installId, first_open: true, device: { os: 'ios' }, ...evidence },
      headers: { 'x-forwarded-for': address },
    });
  const byUrl = { opened_url: link.url };
  for (let turn = 0; turn < 2; turn++)
    t.match(await report('198.51.100.1', byUrl), { status: 200, json: { match_type: 'opened_url', guaranteed: false } });
  const refused = randomUUID();
  const over = await report('198.51.100.1', byUrl, refused);
  t.match(over, { status: 429, json: { code: 'rate_limited' } });
  t.match(over.headers.get('retry-after'), /^\d+$/);
  t.equal((await report('198.51.100.1', {})).status, 200);
  const [click] = await clicked({ subject_id: link.id, environment_number: await numberOf(limited.live.id), address_text: newAddress() });
  const named = { opened_url: `${link.url}?click_id=${click}` };
  t.match(await report('198.51.100.1', named), { status: 200, json: { guaranteed: true } }, 'a click vouches for it');
  const lost = { opened_url: 'https://elsewhere.example/x', clipboard: 'a shopping list' };
  t.match(await report('198.51.100.1', lost), { status: 200, json: { attribution: 'organic' } }, 'the URL vouches for nothing');
  t.match(
    await report('198.51.100.2', byUrl, refused),
    { status: 200, json: { match_type: 'opened_url' } },
    'the refused one was not stored',
  );
});

t.test('an item whose destination is on the block list hands nothing over, by click or by URL', async (t) => {
  const type = await call(t, api.baseUrl, 'POST /resource-types', { key: api.liveKey, body: { key: 'risky', name: 'Risky' } });
  const template = await call(t, api.baseUrl, 'POST /url-templates', {
    key: api.liveKey,
    body: {
      ...{ resource_type_id: type.json.id, path_pattern: '/risky/{id}', id_format: { kind: 'preset', preset: 'numeric' } },
      ...{ deep_link_path: '/{type}/{id}', redirects: { web: 'https://bad.example/{id}' } },
    },
  });
  const { rows } = await api.database.query({
    text: `UPDATE url_templates SET blocked_urls = '{"https://bad.example/{id}"}' WHERE id = $1 RETURNING id`,
    values: [template.json.id],
  });
  t.equal(rows.length, 1);
  const opened_url = `https://${api.live.link_host}/risky/1`;
  t.match(await call(t, api.baseUrl, 'POST /sdk/resolve', { key: api.liveAppKey, body: { url: opened_url } }), {
    status: 404,
    json: { detail: /blocked/ },
  });
  const address = newAddress();
  await clicked({ kind: 1, subject_id: template.json.id, resource_type_id: type.json.id, item_id: '1', address_text: address });
  const resource = { resource_type: 'risky', id: '1', template_id: template.json.id };
  t.match((await open(t, { address })).json, { attribution: 'attributed', ...NOTHING, resource });
});

t.test('a link that the block list takes its default destination from hands nothing over, by click or by URL', async (t) => {
  const [link, own] = await Promise.all([
    makeLink(t, { deep_link_path: '/a' }),
    makeLink(t, { deep_link_path: '/b', destinations: { web: 'https://good.example/' } }),
  ]);
  const [environment] = (
    await api.database.query<{ id: string }>({
      text: `UPDATE environments SET default_destinations = '{"web":"https://bad.example/"}', blocked_urls = '{https://bad.example/}'
             WHERE number = $1 RETURNING id`,
      values: [liveNumber],
    })
  ).rows;
  t.teardown(() =>
    api.database.query({
      text: `UPDATE environments SET default_destinations = '{}', blocked_urls = '{}' WHERE id = $1`,
      values: [environment?.id],
    }),
  );
  t.match(await call(t, api.baseUrl, 'POST /sdk/resolve', { key: api.liveAppKey, body: { url: link.url } }), {
    status: 404,
    json: { detail: /blocked/ },
  });
  const [address, other] = [newAddress(), newAddress()];
  await clicked({ subject_id: link.id, address_text: address }, { subject_id: own.id, address_text: other });
  t.match((await open(t, { address })).json, { attribution: 'attributed', ...NOTHING, link: { id: link.id } });
  t.match((await open(t, { address: other })).json, { attribution: 'attributed', link: { id: own.id }, deep_link_path: '/b' });
});

t.test('a click that a URL carries is used up on what it was a click of alone', async (t) => {
  const [clickedLink, other] = await Promise.all([makeLink(t), makeLink(t)]);
  const [id] = await clicked({ subject_id: clickedLink.id, address_text: newAddress() });
  const moved = await open(t, { opened_url: `${other.url}?click_id=${id}` });
  t.match(moved.json, { match_type: 'opened_url', guaranteed: false, click_id: null, link: { id: other.id } });
  const later = await open(t, { first_open: false, opened_url: `${other.url}?click_id=${id}` });
  t.match(later.json, { attribution: 'reengaged', guaranteed: false, click_id: null });
  const own = await open(t, { opened_url: `${clickedLink.url}?click_id=${id}` });
  t.match(own.json, { match_type: 'opened_url', guaranteed: true, click_id: id, link: { id: clickedLink.id } });
});

t.test('a click that a URL carries is used up on what the URL led to, also if that leads nowhere any more', async (t) => {
  const post = async (path: string, body: object) => (await call(t, api.baseUrl, `POST ${path}`, { key: api.liveKey, body })).json;
  const patch = (path: string, body: object) => call(t, api.baseUrl, `PATCH ${path}`, { key: api.liveKey, body });
  const type = await post('/resource-types', { key: 'gone', name: 'Gone' });
  const template = await post('/url-templates', {
    ...{ resource_type_id: type.id, path_pattern: '/gone/{id}', id_format: { kind: 'preset', preset: 'numeric' }, deep_link_path: '/{id}' },
  });
  const item = { kind: CLICK_KINDS.indexOf('template'), subject_id: template.id, resource_type_id: type.id };
  const itemUrl = `https://${api.live.link_host}/gone`;
  const opened = async (url: string, id: string, first_open: boolean) =>
    (await open(t, { first_open, opened_url: `${url}?click_id=${id}&ref=x` })).json;
  const soon = new Date(Date.now() + 900).toISOString();
  const links = await Promise.all([{ expires_at: soon }, {}, {}].map((body) => makeLink(t, { deep_link_path: '/x', ...body })));
  const [expiring, disabled, deleted] = links as [MadeLink, MadeLink, MadeLink];
  const ids = await clicked(
    ...links.flatMap(({ id }) => [1, 2].map((ago) => ({ subject_id: id, occurred_at_ms: Date.now() - ago, address_text: newAddress() }))),
    ...[1, 2].map((ago) => ({ ...item, item_id: '7', occurred_at_ms: Date.now() - ago, address_text: newAddress() })),
  );
  await patch(`/links/${disabled.id}`, { status: 'disabled' });
  await call(t, api.baseUrl, `DELETE /links/${deleted.id}`, { key: api.liveKey });
  await patch(`/url-templates/${template.id}`, { status: 'archived' });
  await until(async () => new Date().toISOString() > soon, 'the link has expired');
  const cases: readonly [string, string, object][] = [
    [expiring.url, ids[0] as string, { link: { id: expiring.id }, deep_link_path: '/x' }],
    [disabled.url, ids[2] as string, { link: { id: disabled.id }, deep_link_path: null }],
    [deleted.url, ids[4] as string, { link: { id: deleted.id }, deep_link_path: null }],
    [`${itemUrl}/7`, ids[6] as string, { resource: { resource_type: 'gone', id: '7' }, deep_link_path: null }],
  ];
  for (const [index, [url, first, delivered]] of cases.entries()) {
    const [wrong] = cases[(index + 1) % cases.length] as (typeof cases)[number];
    t.same(await opened(wrong, first, true), organic('no_candidate'), 'a click on something else');
    t.match(await opened(url, first, true), {
      attribution: 'attributed',
      match_type: 'opened_url',
      guaranteed: true,
      click_id: first,
      ...delivered,
    });
    t.same(await opened(url, first, true), organic('no_candidate'), 'it is used up');
    t.same(await opened(url, first, false), organic('no_link'));
    const second = ids[2 * index + 1] as string;
    t.match(await opened(url, second, false), { attribution: 'reengaged', guaranteed: true, click_id: second, ...delivered });
  }
  const [other] = await clicked({ ...item, item_id: '7', address_text: newAddress() });
  t.same(await opened(`${itemUrl}/8`, other as string, true), organic('no_candidate'), 'another item');
  t.same((await open(t, { opened_url: expiring.url })).json, organic('no_candidate'), 'a URL without a click leads nowhere');
});
