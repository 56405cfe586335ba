import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import t from 'tap';
import type { FlusherSettings } from '../../../engine/shipping/flusher.js';
import { userAgentHash } from '../../../engine/shipping/rows/visitor-hashes.js';
import type { Click } from '../../../engine/spool/click.js';
import { DEVICE_KIND, withPlatformVersion, withRegion } from '../../../engine/spool/click.js';
import { type ClickSpool, openClickSpool } from '../../../engine/spool/click-spool.js';
import { SEGMENT_BYTES_MIN } from '../../../engine/spool/segment.js';
import { idToUuid, newId } from '../../../shared/base/ids.js';
import { InvariantError, invariant } from '../../../shared/base/invariant.js';
import { newClickId } from '../../../shared/secrets/click-id-keys.js';
import { connect, countClicks, makeEndpoint, makeEnvironment, makeFlusher } from '../../support/click-log.js';
import { makeClick, readSpool, segmentNames } from '../../support/clicks.js';
import { createDatabase } from '../../support/database.js';
import fc from '../../support/properties.js';
import { TEST_SPOOL_KEYS } from '../../support/spool-keys.js';
import { until } from '../../support/until.js';
import { CHROME, DESKTOP, SAFARI } from '../../support/visitor.js';

const database = await createDatabase();
const client = await connect(database.url);
t.teardown(async () => {
  await client.end();
  await database.drop();
});
t.beforeEach(async () => {
  // TRUNCATE would give every table and index new files, which takes ten times as long with so few rows.
  for (const table of [
    'clicks',
    'open_clicks',
    'click_devices',
    'click_segments',
    'hash_keys',
    'webhook_deliveries',
    'events',
    'webhook_backlogs',
    'webhook_endpoints',
  ])
    await client.query(`DELETE FROM ${table}`);
});

const NOW = Date.now();

function openSpool(dir: string, settings: { mapped?: boolean; segmentBytes?: number } = {}): ClickSpool {
  return openClickSpool({
    dir,
    bytesMax: 256 * 1024 * 1024,
    mapped: true,
    keys: TEST_SPOOL_KEYS,
    clock: Date.now,
    segmentBytes: SEGMENT_BYTES_MIN,
    ...settings,
  });
}

function appendAll(spool: ClickSpool, clicks: readonly Click[]): string[] {
  return clicks.map((click) => {
    const id = spool.nextId(click.occurred_at_ms);
    if (!spool.append(click)) throw new Error('a click was dropped');
    return id;
  });
}

function someClicks(count: number, overrides: Partial<Click> = {}): Click[] {
  return Array.from({ length: count }, (_, index) => makeClick({ path: `n${index}`, occurred_at_ms: NOW - index, ...overrides }));
}

async function untilStored(count: number): Promise<void> {
  await until(async () => (await countClicks(client)).rows >= count, `${count} clicks in the log`);
}

/** The only row of the log. */
async function onlyRow(): Promise<Record<string, unknown>> {
  const { rows } = await client.query('SELECT * FROM clicks');
  if (rows.length !== 1) throw new Error(`${rows.length} rows`);
  return rows[0];
}

async function ship(dir: string, clicks: readonly Click[], rest: Pick<FlusherSettings, 'countries'> = {}): Promise<string[]> {
  const spool = openSpool(dir);
  const ids = appendAll(spool, clicks);
  spool.stop();
  const flusher = makeFlusher({ databaseUrl: database.url, dir, ...rest });
  flusher.start();
  await flusher.stop();
  return ids;
}

t.test('the row of a click has the values of the click', async (t) => {
  const environment = await makeEnvironment(client);
  const link = newId('link');
  const [id] = await ship(join(t.testdir(), 's'), [
    makeClick({
      environment_number: environment.number,
      occurred_at_ms: NOW,
      subject_id: link,
      host: 'go.example.com',
      path: 'sale',
      referrer: 'https://t.CO/abc',
      campaign: 'autumn',
      utm: 'utm_source=own&utm_medium=mail',
      query: 'ref=7&x=%20',
      destination: 'https://shop.example.com/?utm_source=shop&utm_term=a%20b#top',
      country: 'de',
      bot_reason: 'isbot',
      params_dropped: true,
    }),
  ]);
  const row = await onlyRow();
  t.match(row, {
    id: idToUuid('click', id as string),
    occurred_at: new Date(NOW),
    environment_number: environment.number,
    kind: 'link',
    subject_id: idToUuid('link', link),
    resource_type_id: null,
    item_id: null,
    host: 'go.example.com',
    path: 'sale',
    platform: 'ios',
    os_version: '17.5.1',
    in_app_browser: null,
    os: 'iOS',
    browser: 'Safari',
    browser_version: '17',
    bot: true,
    bot_reason: 'isbot',
    country: 'DE',
    region: null,
    city: null,
    source: null,
    referrer_host: 't.co',
    campaign: 'autumn',
    utm_source: 'shop',
    utm_medium: 'mail',
    utm_campaign: null,
    utm_term: 'a b',
    utm_content: null,
    params: 'ref=7&x=%20',
    params_dropped: true,
    destination: 'https://shop.example.com/?utm_source=shop&utm_term=a%20b#top',
  });
  t.equal((row.address_hash as Buffer).length, 8);
});

t.test('the place of a visitor is looked up in the operator’s file if there is an address and no proxy gives another place', async (t) => {
  const { number } = await makeEnvironment(client);
  const berlin = { country: 'DE', region: 'DE-BE', city: 'Berlin' };
  const nowhere = { country: '', region: '', city: '' };
  const countries = { placeOf: (address: string) => (address === '203.0.113.7' || address === '2001:db8:0:7:0:0:0:0' ? berlin : nowhere) };
  const click = { environment_number: number, occurred_at_ms: NOW };
  await ship(
    join(t.testdir(), 's'),
    [
      makeClick({ ...click, path: 'a' }),
      makeClick({ ...click, path: 'b', country: 'de' }),
      makeClick({ ...click, path: 'c', country: 'FR', qr: true }),
      makeClick({ ...click, path: 'd', address_text: '' }),
      makeClick({ ...click, path: 'e', address_text: '198.51.100.1', country: 'XX' }),
      makeClick({ ...click, path: 'f', address_text: '', address_bytes: Uint8Array.of(203, 0, 113, 7) }),
      makeClick({ ...click, path: 'g', address_text: '2001:db8:0:7::1234' }),
      makeClick({ ...click, path: 'h', country: withRegion('DE', 'BY', '') }),
      makeClick({ ...click, path: 'i', country: withRegion('FR', 'FR-IDF', 'Paris') }),
    ],
    { countries },
  );
  const { rows } = await client.query('SELECT path, country, region, city, source FROM clicks ORDER BY path');
  const known = ['DE', 'DE-BE', 'Berlin', null];
  t.same(
    rows.map(({ path, ...rest }) => [path, ...Object.values(rest)]),
    [
      ['a', ...known],
      ['b', ...known],
      ['c', 'FR', null, null, 'qr'],
      ['d', null, null, null, null],
      ['e', null, null, null, null],
      ['f', ...known],
      ['g', ...known],
      ['h', 'DE', 'DE-BY', null, null],
      ['i', 'FR', 'FR-IDF', 'Paris', null],
    ],
  );
});

t.test(
  'clicks by people on phones can be matched to opens of apps; clicks by programs, or to the Play Store, only by their ids',
  async (t) => {
    const { number } = await makeEnvironment(client);
    const template = newId('urlTemplate');
    const phone = { environment_number: number, occurred_at_ms: NOW };
    const item = { kind: 1, subject_id: template, resource_type_id: newId('resourceType'), item_id: 'ü', query: 'ref=7' };
    const instagram = `${makeClick().user_agent} Instagram 331.0.0.37.90 (iPhone14,5; iOS 17_5_1; de_DE; de-DE; scale=3.00; 1170x2532; 601330155)`;
    const ids = await ship(join(t.testdir(), 's'), [
      makeClick({ ...phone, ...item, user_agent: instagram }),
      makeClick({ ...phone, user_agent: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile' }),
      makeClick({ ...phone, address_text: 'unknown' }),
      makeClick({ ...phone, user_agent: 'Mozilla/5.0 (Windows NT 10.0)', platform_hint: 'android' }),
      makeClick({ ...phone, user_agent: 'Mozilla/5.0 (Windows NT 10.0)' }),
      makeClick({ ...phone, bot_reason: 'prefetch' }),
      makeClick({ ...phone, user_agent: 'Mozilla/5.0 (Windows NT 10.0)', destination: 'https://play.google.com/store/apps/details?id=x' }),
      makeClick({ ...phone, user_agent: 'curl/8.0', bot_reason: 'isbot', destination: 'https://play.google.com/store/apps/details?id=x' }),
      makeClick({ ...phone, user_agent: 'curl/8.0', bot_reason: 'isbot', destination: 'https://play.google.com.example.net/' }),
    ]);
    const { rows } = await client.query('SELECT * FROM open_clicks');
    const row = (index: number) => rows.find(({ id }) => id === idToUuid('click', ids[index] as string));
    t.equal(rows.length, 7);
    t.match(
      [row(5), row(6), row(7)],
      [
        { match_key: null, platform: 'ios' },
        { match_key: null, platform: 'android' },
        { match_key: null, platform: 'android' },
      ],
    );
    const facts = { language: 'de-DE', model: 'iPhone14,5', screen: '1170x2532' };
    const common = { environment_number: number, occurred_at: new Date(NOW), platform: 'ios' };
    t.match(row(0), {
      ...common,
      ...facts,
      kind: 'template',
      subject_id: idToUuid('urlTemplate', template),
      item_id: 'ü',
      params: 'ref=7',
    });
    t.match(row(0).match_key, /^-?\d+$/);
    t.same(row(0).user_agent_hash, userAgentHash(instagram).subarray(0, 8), 'the hash that distinguishes visitors of one network');
    const nothing = { item_id: null, params: null, language: null, model: null, screen: null };
    t.match(row(1), { ...nothing, platform: 'android', match_key: /^-?\d+$/ }, 'the version is unknown, and a report may add it');
    t.match(row(2), { ...nothing, ...common, match_key: null }, 'the address is unknown');
    t.match(row(3), { ...nothing, platform: 'android', match_key: row(1).match_key }, 'the hint names the system');
  },
);

t.test('a click by a device that may be an iPad can be matched if the link has no destination for a Mac', async (t) => {
  const { number } = await makeEnvironment(client);
  const mac = { environment_number: number, occurred_at_ms: NOW, user_agent: SAFARI };
  const ids = await ship(join(t.testdir(), 's'), [
    makeClick({ ...mac, destination: '' }),
    makeClick(mac),
    makeClick({ ...mac, destination: '', bot_reason: 'isbot' }),
    makeClick({ ...mac, destination: '', user_agent: DESKTOP }),
  ]);
  const { rows } = await client.query('SELECT * FROM open_clicks WHERE match_key IS NOT NULL');
  t.equal(rows.length, 1);
  t.match(rows[0], { id: idToUuid('click', ids[0] as string), platform: 'ios', match_key: /^-?\d+$/ });
});

t.test('a device report is stored beside the clicks, once per network, and is not a click', async (t) => {
  const { number } = await makeEnvironment(client);
  const clickId = newClickId(TEST_SPOOL_KEYS.clickIds, NOW);
  const batches = async () => (await client.query('SELECT batch_id FROM click_batches ORDER BY batch_id')).rows;
  const before = await batches();
  const told = {
    environment_number: number,
    occurred_at_ms: NOW,
    kind: DEVICE_KIND,
    subject_id: clickId,
    user_agent: withPlatformVersion(CHROME, '14'),
    platform_hint: 'android',
    item_id: 'Pixel 8',
    destination: '',
  };
  await ship(join(t.testdir(), 's'), [
    makeClick(told),
    makeClick({ ...told, item_id: 'Pixel 9' }),
    makeClick({ ...told, address_text: '203.0.113.8', item_id: '' }),
    makeClick({ ...told, address_text: 'unknown' }),
    makeClick({ ...told, user_agent: CHROME }),
  ]);
  const { rows } = await client.query('SELECT * FROM click_devices ORDER BY model');
  const row = { click_id: idToUuid('click', clickId), occurred_at: new Date(NOW), environment_number: number };
  t.match(rows, [
    { ...row, model: 'Pixel 8' },
    { ...row, model: null },
  ]);
  t.equal(new Set(rows.flatMap(({ seen_key, match_key }) => [seen_key, match_key])).size, 4);
  t.match(await countClicks(client), { rows: 0 });
  t.same(await batches(), before, 'there is nothing to count');
});

t.test('a device report that no page of the service can have sent is refused, and clicks around it are stored', async (t) => {
  const { number } = await makeEnvironment(client);
  const told = {
    environment_number: number,
    occurred_at_ms: NOW,
    kind: DEVICE_KIND,
    subject_id: newClickId(TEST_SPOOL_KEYS.clickIds, NOW),
    platform_hint: 'android',
  };
  const dir = join(t.testdir(), 's');
  const spool = openSpool(dir);
  for (const click of [
    makeClick(told),
    makeClick({ ...told, occurred_at_ms: NOW - 1 }),
    makeClick({ ...told, subject_id: newId('link') }),
    makeClick({ ...told, platform_hint: '' }),
    makeClick({ ...told, environment_number: 0 }),
    makeClick({ environment_number: number, occurred_at_ms: NOW }),
  ])
    spool.append(click);
  spool.stop();
  const flusher = makeFlusher({ databaseUrl: database.url, dir });
  flusher.start();
  await until(() => flusher.stats().clicks_refused === 4, 'four records refused');
  await until(async () => (await countClicks(client)).rows === 1, 'the click behind them');
  await flusher.stop();
});

t.test('a click on a template has the type and item of that click', async (t) => {
  const template = newId('urlTemplate');
  const type = newId('resourceType');
  await ship(join(t.testdir(), 's'), [
    makeClick({
      kind: 1,
      subject_id: template,
      resource_type_id: type,
      item_id: 'Größe/1\0😀',
      address_text: 'unknown',
      platform_hint: 'android',
    }),
  ]);
  t.match(await onlyRow(), {
    kind: 'template',
    subject_id: idToUuid('urlTemplate', template),
    resource_type_id: idToUuid('resourceType', type),
    item_id: 'Größe/1\ufffd😀',
    address_hash: null,
    bot: false,
    bot_reason: null,
    campaign: null,
    params: null,
  });
});

t.test('the event of a click on an item has the key of the resource type, and that of a click on a link has none', async (t) => {
  const environment = await makeEnvironment(client);
  await makeEndpoint(client, environment.id, ['click.created']);
  const type = newId('resourceType');
  await client.query(
    `INSERT INTO resource_types (id, environment_id, key, name, created_at, updated_at) VALUES ($1, $2, 'product', 'Product', now(), now())`,
    [type, environment.id],
  );
  const common = { environment_number: environment.number, occurred_at_ms: NOW };
  await ship(join(t.testdir(), 's'), [
    makeClick({ ...common, kind: 1, subject_id: newId('urlTemplate'), resource_type_id: type, item_id: '42' }),
    makeClick({ ...common, kind: 1, subject_id: newId('urlTemplate'), resource_type_id: newId('resourceType'), item_id: '43' }),
    makeClick(common),
  ]);
  const { rows } = await client.query<{ body: string }>(`SELECT body FROM events WHERE environment_id = $1`, [environment.id]);
  const events = rows.map(({ body }) => JSON.parse(body).data).sort((a, b) => (String(a.item_id) < String(b.item_id) ? -1 : 1));
  t.match(
    events.map(({ resource_type, item_id }) => ({ resource_type, item_id })),
    [
      { resource_type: 'product', item_id: '42' },
      { resource_type: null, item_id: '43' },
      { resource_type: null, item_id: null },
    ],
  );
});

t.test('an error in the program ends the flusher, and is not treated as an unreachable database', async (t) => {
  const environment = await makeEnvironment(client);
  await makeEndpoint(client, environment.id, ['click.created']);
  const dir = join(t.testdir(), 's');
  const spool = openSpool(dir);
  appendAll(spool, someClicks(1, { environment_number: environment.number }));
  spool.stop();
  const flusher = makeFlusher({ databaseUrl: database.url, dir, onEvents: () => invariant(false, 'something that cannot be') });
  flusher.start();
  await t.rejects(flusher.stop(), InvariantError);
});

t.test('any text is stored unchanged, except for characters that PostgreSQL cannot hold', async (t) => {
  const anyText = fc.string({
    unit: fc.constantFrom('a', 'Z', '0', '/', '?', '&', '=', '#', '%', ' ', '"', "'", '\\', '\n', '\t', '\0', 'ü', '€', '😀', '\ud800'),
    maxLength: 80,
  });
  const fields = fc.record({
    item_id: anyText,
    host: anyText,
    campaign: anyText,
    query: anyText,
    destination: anyText,
    bot_reason: anyText,
    user_agent: anyText,
    referrer: anyText,
    utm: anyText,
    country: anyText,
    address_text: anyText,
  });
  const clicks = fc.sample(fields, 400).map((overrides, index) => makeClick({ ...overrides, path: `n${index}`, occurred_at_ms: NOW }));
  await ship(join(t.testdir(), 's'), clicks);
  const { rows } = await client.query('SELECT path, item_id, host, campaign, params, destination, bot_reason, bot FROM clicks');
  t.equal(rows.length, clicks.length);
  const stored = (text: string): string => Buffer.from(text).toString().replaceAll('\0', '\ufffd');
  const storedOrNull = (text: string): string | null => (text === '' ? null : stored(text));
  for (const row of rows) {
    const click = clicks[Number(row.path.slice(1))] as Click;
    t.same(row, {
      path: click.path,
      item_id: storedOrNull(click.item_id),
      host: stored(click.host),
      campaign: storedOrNull(click.campaign),
      params: storedOrNull(click.query),
      destination: storedOrNull(click.destination),
      bot_reason: storedOrNull(click.bot_reason),
      bot: click.bot_reason !== '',
    });
  }
});

t.test('the client hint overrides a desktop user agent', async (t) => {
  const user_agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
  await ship(join(t.testdir(), 's'), [makeClick({ user_agent, platform_hint: 'android' })]);
  t.match(await onlyRow(), { platform: 'android', os_version: null });
});

t.test('the client hint gives the version that a user agent leaves out', async (t) => {
  const reduced = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';
  await ship(join(t.testdir(), 's'), [makeClick({ user_agent: withPlatformVersion(reduced, '14'), platform_hint: 'android' })]);
  t.match(await onlyRow(), { platform: 'android', os_version: '14' });
});

t.test(
  "a visitor hash is the same all day in the project's time zone and changes with the day, and an address hash changes with the day in UTC",
  async (t) => {
    const environment = await makeEnvironment(client, 'America/Los_Angeles');
    // 15:00, 17:00 and 23:30 of the 10th in Los Angeles, then 00:30 of the 11th; UTC changes its day between the first two.
    const times = ['2026-11-10T23:00:00Z', '2026-11-11T01:00:00Z', '2026-11-11T07:30:00Z', '2026-11-11T08:30:00Z'];
    await ship(
      join(t.testdir(), 's'),
      times.map((time, index) =>
        makeClick({ environment_number: environment.number, occurred_at_ms: Date.parse(time), path: String(index) }),
      ),
    );
    const { rows } = await client.query<{ visitor_hash: string; address_hash: Buffer }>(
      'SELECT visitor_hash, address_hash FROM clicks ORDER BY occurred_at',
    );
    const visitors = rows.map((row) => row.visitor_hash);
    t.equal(visitors[0], visitors[1]);
    t.equal(visitors[1], visitors[2]);
    t.not(visitors[2], visitors[3]);
    const addresses = rows.map((row) => row.address_hash.toString('hex'));
    t.not(addresses[0], addresses[1]);
    t.equal(addresses[1], addresses[3]);
  },
);

t.test('visits of a visitor who opted out cannot be recognised as those of one visitor', async (t) => {
  const optedOut = { address_text: '', address_bytes: null, country: '' };
  await ship(join(t.testdir(), 's'), [
    makeClick(optedOut),
    makeClick(optedOut),
    makeClick({ address_text: 'unknown' }),
    makeClick({ address_text: 'unknown' }),
  ]);
  const { rows } = await client.query('SELECT visitor_hash, address_hash FROM clicks ORDER BY id');
  t.equal(rows.length, 4);
  t.same(new Set(rows.map((row) => row.address_hash)), new Set([null]));
  t.equal(new Set(rows.map((row) => row.visitor_hash)).size, 3, 'visits with an unreadable address still count as one visitor');
  const { rows: open } = await client.query('SELECT match_key FROM open_clicks');
  t.same(new Set(open.map((row) => row.match_key)), new Set([null]), 'no first open is matched to them by device facts');
});

t.test('two shippers with keys of the same days compute the same hashes', async (t) => {
  const dir = t.testdir();
  const click = makeClick({ occurred_at_ms: NOW });
  await ship(join(dir, 'a'), [click]);
  await ship(join(dir, 'b'), [click]);
  const { rows } = await client.query('SELECT DISTINCT visitor_hash, address_hash FROM clicks');
  t.equal(rows.length, 1);
});

for (const mapped of [true, false]) {
  t.test(`${mapped ? 'mapped' : 'appended'}: a click is in the log less than a second after it was made`, async (t) => {
    const dir = join(t.testdir(), 's');
    const flusher = makeFlusher({ databaseUrl: database.url, dir });
    flusher.start();
    const spool = openSpool(dir, { mapped });
    // The first click has the keys and partitions of the day created.
    spool.append(makeClick({ occurred_at_ms: NOW }));
    await untilStored(1);
    const waits: number[] = [];
    for (let count = 2; count <= 6; count++) {
      const began = performance.now();
      spool.append(makeClick({ occurred_at_ms: NOW, path: String(count) }));
      await untilStored(count);
      waits.push(performance.now() - began);
    }
    // The shortest wait, because other load on the machine can only lengthen them.
    t.ok(Math.min(...waits) < 800, `waits in ms: ${waits.map(Math.round)}`);
    spool.stop();
    await flusher.stop();
  });

  t.test(
    `${mapped ? 'mapped' : 'appended'}: growing and sealed segments of several writers are stored once, and their files are removed`,
    async (t) => {
      const dir = join(t.testdir(), 's');
      const flusher = makeFlusher({ databaseUrl: database.url, dir });
      flusher.start();
      const spools = [0, 1, 2].map(() => openSpool(dir, { mapped }));
      for (let round = 0; round < 20; round++) {
        for (const [index, spool] of spools.entries())
          appendAll(
            spool,
            someClicks(100).map((click) => ({ ...click, path: `${index}-${round}-${click.path}`, query: 'q'.repeat(300) })),
          );
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      for (const spool of spools) spool.stop();
      await until(() => segmentNames(dir).length === 0, 'the files to be removed');
      t.same(await countClicks(client), { rows: 6000, ids: 6000, paths: 6000 });
      t.match(flusher.stats(), { clicks_shipped: 6000, clicks_refused: 0, clicks_unreadable: 0, failures: 0, pending_bytes: 0 });
      const { rows } = await client.query(
        'SELECT sum(shipped_clicks)::integer AS clicks, count(*) FILTER (WHERE finished_at IS NULL)::integer AS open FROM click_segments',
      );
      t.same(rows, [{ clicks: 6000, open: 0 }], 'their rows stay when the files are removed');
      await flusher.stop();
    },
  );
}

t.test('clicks are stored with the ids that were given out, however often the flusher restarts', async (t) => {
  const dir = join(t.testdir(), 's');
  const spool = openSpool(dir, { segmentBytes: 4 * 1024 * 1024 });
  const told: string[] = [];
  for (let round = 0; round < 8; round++) {
    told.push(
      ...appendAll(
        spool,
        someClicks(150).map((click) => ({ ...click, user_agent: `agent ${round}`, path: `${round}-${click.path}` })),
      ),
    );
    const flusher = makeFlusher({ databaseUrl: database.url, dir });
    flusher.start();
    await flusher.stop();
  }
  spool.stop();
  const { rows } = await client.query<{ id: string }>('SELECT id FROM clicks');
  t.same(rows.map((row) => row.id).toSorted(), told.map((id) => idToUuid('click', id)).toSorted());
});

t.test('two flushers at one folder store every click once', async (t) => {
  const dir = join(t.testdir(), 's');
  const flushers = [0, 1].map(() => makeFlusher({ databaseUrl: database.url, dir }));
  for (const flusher of flushers) flusher.start();
  const spool = openSpool(dir);
  for (let round = 0; round < 40; round++) {
    appendAll(
      spool,
      someClicks(60).map((click) => ({ ...click, path: `${round}-${click.path}`, query: 'q'.repeat(400) })),
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  spool.stop();
  await until(() => segmentNames(dir).length === 0, 'the files to be removed');
  t.same(await countClicks(client), { rows: 2400, ids: 2400, paths: 2400 });
  for (const flusher of flushers) await flusher.stop();
});

t.test('a segment file that reappears after it was stored is not stored again', async (t) => {
  const dir = t.testdir({ copies: {} });
  const spoolDir = join(dir, 's');
  const spool = openSpool(spoolDir);
  appendAll(spool, someClicks(50));
  spool.stop();
  const [name] = segmentNames(spoolDir);
  copyFileSync(join(spoolDir, name as string), join(dir, 'copies', name as string));
  for (let round = 0; round < 2; round++) {
    const flusher = makeFlusher({ databaseUrl: database.url, dir: spoolDir });
    flusher.start();
    await until(() => segmentNames(spoolDir).length === 0, 'the file to be removed');
    await flusher.stop();
    if (round === 0) copyFileSync(join(dir, 'copies', name as string), join(spoolDir, name as string));
  }
  t.equal((await countClicks(client)).rows, 50);
});

t.test('partitions are created for the days of the clicks, however far back, and again if they are dropped', async (t) => {
  const dir = join(t.testdir(), 's');
  const flusher = makeFlusher({ databaseUrl: database.url, dir });
  flusher.start();
  const spool = openSpool(dir);
  const day = Date.UTC(2026, 2, 1, 12);
  appendAll(spool, [makeClick({ occurred_at_ms: day }), makeClick({ occurred_at_ms: day + 86_400_000 })]);
  await untilStored(2);
  await client.query('DROP TABLE clicks_20260301');
  spool.append(makeClick({ occurred_at_ms: day }));
  await untilStored(2);
  t.match(flusher.stats(), { clicks_shipped: 3, clicks_refused: 0 });
  t.ok(flusher.stats().failures >= 1, 'the missing partition caused a failure that was retried');
  spool.stop();
  await flusher.stop();
});

t.test('click.created is queued for environments that subscribe to it, in the transaction of the clicks', async (t) => {
  const wanting = await makeEnvironment(client);
  const other = await makeEnvironment(client);
  await makeEndpoint(client, wanting.id, ['click.created']);
  await makeEndpoint(client, other.id, ['link.created']);
  const dir = join(t.testdir(), 's');
  let poked = 0;
  const flusher = makeFlusher({ databaseUrl: database.url, dir, onEvents: () => poked++ });
  flusher.start();
  const spool = openSpool(dir);
  const link = newId('link');
  const [id] = appendAll(spool, [
    makeClick({
      environment_number: wanting.number,
      subject_id: link,
      occurred_at_ms: NOW,
      bot_reason: 'prefetch',
      query: 'a=1&a=2&b=x',
      country: 'FR',
      referrer: 'https://news.example/',
    }),
    makeClick({ environment_number: other.number, occurred_at_ms: NOW }),
    makeClick({ environment_number: 999_999, occurred_at_ms: NOW }),
  ]);
  await untilStored(3);
  const { rows } = await client.query<{ body: string; type: string; environment_id: string }>(
    'SELECT body, type, environment_id FROM events',
  );
  t.equal(rows.length, 1);
  t.match(rows[0], { type: 'click.created', environment_id: wanting.id });
  t.match(JSON.parse(rows[0]?.body as string), {
    type: 'click.created',
    environment: 'live',
    data: {
      id,
      occurred_at: new Date(NOW).toISOString(),
      kind: 'link',
      link_id: link,
      platform: 'ios',
      bot: true,
      bot_reason: 'prefetch',
      country: 'FR',
      referrer_host: 'news.example',
      params: { a: '1', b: 'x' },
    },
  });
  t.equal((await client.query('SELECT 1 FROM webhook_deliveries')).rowCount, 1);
  await until(() => poked > 0, 'the dispatcher to be poked');
  spool.stop();
  await flusher.stop();
});

t.test('an environment or endpoint that is new gets events of the next batch', async (t) => {
  const [known, fresh] = [await makeEnvironment(client), await makeEnvironment(client)];
  await makeEndpoint(client, fresh.id, ['click.created']);
  const dir = join(t.testdir(), 's');
  const flusher = makeFlusher({ databaseUrl: database.url, dir });
  flusher.start();
  const spool = openSpool(dir);
  const click = ({ number }: { readonly number: number }) => makeClick({ environment_number: number, occurred_at_ms: NOW });
  appendAll(spool, [click(known)]);
  await untilStored(1);
  await makeEndpoint(client, known.id, ['click.created']);
  appendAll(spool, [click(known), click(fresh)]);
  await untilStored(3);
  const { rows } = await client.query<{ environment_id: string }>('SELECT environment_id FROM events');
  t.same(rows.map(({ environment_id }) => environment_id).toSorted(), [known.id, fresh.id].toSorted());
  spool.stop();
  await flusher.stop();
});

t.test('more clicks with events than fit one batch are all stored, each with its event', async (t) => {
  const environment = await makeEnvironment(client);
  await makeEndpoint(client, environment.id, ['click.created']);
  await ship(join(t.testdir(), 's'), someClicks(5500, { environment_number: environment.number }));
  t.equal((await countClicks(client)).rows, 5500);
  const { rows } = await client.query("SELECT count(DISTINCT body::json -> 'data' ->> 'id')::integer AS clicks FROM events");
  t.same(rows, [{ clicks: 5500 }]);
});

t.test(
  'an endpoint gets the first clicks that fit its backlog, and the others are counted as dropped and stored all the same',
  async (t) => {
    const environment = await makeEnvironment(client);
    const empty = await makeEndpoint(client, environment.id, ['click.created']);
    const fuller = await makeEndpoint(client, environment.id, ['click.created']);
    const full = await makeEndpoint(client, environment.id, ['click.created']);
    await client.query('INSERT INTO webhook_backlogs (webhook_id, queued, dropped) VALUES ($1, 7, 1), ($2, 10, 0)', [fuller, full]);
    const dir = join(t.testdir(), 's');
    const flusher = makeFlusher({ databaseUrl: database.url, dir, webhookBacklogMax: 10 });
    const spool = openSpool(dir);
    const clicks = Array.from({ length: 25 }, (_, index) =>
      makeClick({ path: `n${index}`, occurred_at_ms: NOW, environment_number: environment.number }),
    );
    appendAll(spool, clicks);
    flusher.start();
    await untilStored(25);
    const sentTo = async (webhook: string) => {
      const { rows } = await client.query<{ path: string }>(
        `SELECT event.body::json -> 'data' ->> 'path' AS path FROM webhook_deliveries AS delivery JOIN events AS event ON event.id = delivery.event_id
       WHERE delivery.webhook_id = $1 ORDER BY event.id`,
        [webhook],
      );
      return rows.map(({ path }) => path);
    };
    t.same(
      await sentTo(empty),
      clicks.slice(0, 10).map(({ path }) => path),
    );
    t.same(
      await sentTo(fuller),
      clicks.slice(0, 3).map(({ path }) => path),
    );
    t.same(await sentTo(full), []);
    t.equal((await client.query('SELECT 1 FROM events')).rowCount, 10, 'no event without a receiver is stored');
    const backlogs = async () =>
      (await client.query('SELECT webhook_id, queued::integer, dropped::integer, dropped_at IS NOT NULL AS dated FROM webhook_backlogs'))
        .rows;
    const sorted = <Row extends { readonly webhook_id: string }>(rows: readonly Row[]) =>
      rows.toSorted((a, b) => (a.webhook_id < b.webhook_id ? -1 : 1));
    t.same(
      sorted(await backlogs()),
      sorted([
        { webhook_id: empty, queued: 10, dropped: 15, dated: true },
        { webhook_id: fuller, queued: 10, dropped: 23, dated: true },
        { webhook_id: full, queued: 10, dropped: 25, dated: true },
      ]),
    );
    await client.query('UPDATE webhook_backlogs SET queued = 9 WHERE webhook_id = $1', [full]);
    appendAll(spool, clicks.slice(0, 5));
    await untilStored(30);
    t.equal((await sentTo(full)).length, 1, 'deliveries that left the backlog make room');
    t.equal((await client.query('SELECT 1 FROM events')).rowCount, 11);
    spool.stop();
    await flusher.stop();
  },
);

t.test('while PostgreSQL cannot be reached clicks are kept, and health reports it', async (t) => {
  const dir = join(t.testdir(), 's');
  let now = Date.now();
  const spool = openSpool(dir);
  appendAll(spool, someClicks(100));
  const flusher = makeFlusher({ databaseUrl: 'postgres://nobody@127.0.0.1:1/nowhere', dir, clock: () => now });
  flusher.start();
  await until(() => flusher.stats().failures > 2, 'a few failures');
  t.match(flusher.health(), { part: 'clicks', ok: true });
  now += 20_000;
  t.match(flusher.health(), { part: 'clicks', ok: false, reason: /no click has been stored for \d+ s: .*ECONNREFUSED/ });
  await flusher.stop();
  spool.stop();
  t.equal((await readSpool(dir)).length, 100);
});

t.test('a connection that is cut again and again neither loses nor duplicates a click', async (t) => {
  const dir = join(t.testdir(), 's');
  const flusher = makeFlusher({ databaseUrl: database.url, dir, random: () => 0 });
  flusher.start();
  const spool = openSpool(dir);
  for (let round = 0; round < 60; round++) {
    appendAll(
      spool,
      someClicks(100).map((click) => ({ ...click, path: `${round}-${click.path}`, query: 'q'.repeat(500) })),
    );
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'click-flusher' AND datname = current_database()",
    );
    await new Promise((resolve) => setTimeout(resolve, (round * 7) % 40));
  }
  spool.stop();
  await until(() => segmentNames(dir).length === 0, 'the files to be removed', 30_000);
  t.same(await countClicks(client), { rows: 6000, ids: 6000, paths: 6000 });
  t.ok(flusher.stats().failures > 0, 'the connection was cut during work');
  await flusher.stop();
});

t.test('a click that PostgreSQL refuses is found, skipped and set aside, and all others are stored', async (t) => {
  await client.query("ALTER TABLE clicks ADD CONSTRAINT refuses CHECK (path <> 'n777')");
  t.teardown(() => client.query('ALTER TABLE clicks DROP CONSTRAINT refuses'));
  const dir = join(t.testdir(), 's');
  const spool = openSpool(dir, { segmentBytes: 4 * 1024 * 1024 });
  const told = appendAll(spool, someClicks(2000));
  spool.stop();
  const flusher = makeFlusher({ databaseUrl: database.url, dir, random: () => 0 });
  flusher.start();
  await until(() => segmentNames(dir).length === 0, 'the file to be removed');
  await flusher.stop();
  t.same(await countClicks(client), { rows: 1999, ids: 1999, paths: 1999 });
  t.match(flusher.stats(), { clicks_refused: 1, segments_quarantined: 1 });
  t.equal(readdirSync(join(dir, 'quarantine')).length, 1);
  const { rows } = await client.query<{ id: string }>("SELECT id FROM clicks WHERE path = 'n778'");
  t.equal(rows[0]?.id, idToUuid('click', told[778] as string), 'clicks after it have the ids that were given out');
});

t.test('a click with impossible values is set aside and not stored', async (t) => {
  const dir = join(t.testdir(), 's');
  await ship(dir, [
    makeClick({ subject_id: 'lnk_nonsense' }),
    makeClick({ kind: 9 }),
    makeClick({ occurred_at_ms: 2 ** 45 }),
    makeClick({ path: 'good' }),
  ]);
  t.equal((await onlyRow()).path, 'good');
  t.equal(readdirSync(join(dir, 'quarantine')).length, 1);
});

t.test('a damaged record ends the reading of its segment, which is set aside and counted; other segments are stored', async (t) => {
  const dir = join(t.testdir(), 's');
  const damaged = openSpool(dir);
  appendAll(damaged, someClicks(100));
  damaged.stop();
  const [name] = segmentNames(dir);
  const path = join(dir, name as string);
  const middle = Math.floor(statSync(path).size / 2);
  truncateSync(path, middle);
  appendFileSync(path, Buffer.alloc(middle, 0x55));
  const whole = openSpool(dir);
  appendAll(
    whole,
    someClicks(100).map((click) => ({ ...click, path: `whole-${click.path}` })),
  );
  whole.stop();
  const flusher = makeFlusher({ databaseUrl: database.url, dir });
  flusher.start();
  await until(() => segmentNames(dir).length === 0, 'the files to be removed');
  const { rows } = await client.query<{ whole: number; damaged: number }>(
    "SELECT count(*) FILTER (WHERE path LIKE 'whole%')::integer AS whole, count(*) FILTER (WHERE path NOT LIKE 'whole%')::integer AS damaged FROM clicks",
  );
  const stored = rows[0] as { whole: number; damaged: number };
  t.equal(stored.whole, 100);
  t.ok(stored.damaged > 20 && stored.damaged < 80, `${stored.damaged} clicks came before the damage`);
  t.match(flusher.stats(), { clicks_unreadable: 100 - stored.damaged, segments_quarantined: 1 });
  await flusher.stop();
});

t.test('segments that cannot be moved to quarantine are counted once, and are moved unchanged as soon as possible', async (t) => {
  await client.query("ALTER TABLE clicks ADD CONSTRAINT refuses CHECK (path <> 'n7')");
  t.teardown(() => client.query('ALTER TABLE clicks DROP CONSTRAINT refuses'));
  const dir = join(t.testdir(), 's');
  mkdirSync(dir);
  writeFileSync(join(dir, 'quarantine'), 'a file where the folder should be');
  const refused = openSpool(dir);
  appendAll(refused, someClicks(10));
  refused.stop();
  const damaged = openSpool(dir);
  appendAll(
    damaged,
    someClicks(100).map((click) => ({ ...click, path: `damaged-${click.path}` })),
  );
  damaged.stop();
  const names = segmentNames(dir);
  const path = join(dir, names[1] as string);
  const middle = Math.floor(statSync(path).size / 2);
  truncateSync(path, middle);
  appendFileSync(path, Buffer.alloc(middle, 0x55));
  let now = NOW;
  const flusher = makeFlusher({ databaseUrl: database.url, dir, clock: () => now, keepMs: 0 });
  flusher.start();
  const isOver = () => flusher.stats().clicks_refused === 1 && flusher.stats().clicks_unreadable > 0 && flusher.stats().segments_open === 0;
  await until(isOver, 'both to be set aside');
  const before = flusher.stats();
  for (let round = 0; round < 4; round++) {
    now += 60_000;
    // Long enough for several rounds.
    await sleep(300);
  }
  t.match(flusher.stats(), {
    clicks_refused: 1,
    clicks_unreadable: before.clicks_unreadable,
    segments_finished: before.segments_finished,
    segments_quarantined: 0,
  });
  t.same(segmentNames(dir), names);
  t.match(flusher.health(), { ok: false, reason: /cannot be moved to quarantine/ });
  unlinkSync(join(dir, 'quarantine'));
  now += 60_000;
  await until(() => flusher.stats().segments_quarantined === 2, 'both to be moved');
  t.same(readdirSync(join(dir, 'quarantine')).toSorted(), names);
  await flusher.stop();
});

const NO_PROC = process.platform === 'linux' ? false : 'only Linux has a file whose reading is an I/O error';

t.test('a segment that cannot be read is reported and skipped, and the others are stored', { skip: NO_PROC }, async (t) => {
  const dir = join(t.testdir(), 's');
  mkdirSync(dir);
  // Reading the first bytes of this file is an I/O error on every Linux.
  const unreadable = join(dir, '01hzzzzzzzzzzzzzzzzzzzzzzz.segment');
  symlinkSync('/proc/self/mem', unreadable);
  const spool = openSpool(dir);
  appendAll(spool, someClicks(100));
  const flusher = makeFlusher({ databaseUrl: database.url, dir });
  flusher.start();
  await untilStored(100);
  appendAll(spool, someClicks(100));
  await untilStored(200);
  t.same(flusher.health(), { part: 'clicks', ok: false, reason: '01hzzzzzzzzzzzzzzzzzzzzzzz.segment cannot be read: EIO' });
  t.match(
    flusher.stats(),
    { segments_unreadable: 1, segments_quarantined: 0, failures: 1 },
    'one round found the segment, and no other round failed',
  );
  unlinkSync(unreadable);
  await until(() => flusher.health().ok, 'the trouble to be over');
  spool.stop();
  await flusher.stop();
});

t.test('a segment whose disk works again is stored completely and once', async (t) => {
  const dir = join(t.testdir(), 's');
  const spool = openSpool(dir);
  appendAll(spool, someClicks(100));
  const any = await open(join(dir, segmentNames(dir)[0] as string));
  const files = Object.getPrototypeOf(any) as FileHandle;
  await any.close();
  const read = files.read as (...parameters: readonly unknown[]) => Promise<unknown>;
  let failing = true;
  t.intercept(files, 'read', {
    value(this: FileHandle, buffer: Buffer, offset: number, length: number, position: number) {
      if (failing && length > 1000) return Promise.reject(Object.assign(new Error('i/o error'), { code: 'EIO' }));
      return read.call(this, buffer, offset, length, position);
    },
  });
  let now = NOW;
  const flusher = makeFlusher({ databaseUrl: database.url, dir, clock: () => now });
  flusher.start();
  await until(() => flusher.stats().segments_unreadable === 1, 'the fault to be seen');
  failing = false;
  now += 60_000;
  await untilStored(100);
  t.equal((await countClicks(client)).rows, 100);
  await until(() => flusher.stats().segments_unreadable === 0, 'the trouble to be over');
  spool.stop();
  await flusher.stop();
});

t.test('a file that is not a segment is set aside, and only a few such files are kept', async (t) => {
  const dir = join(t.testdir(), 's');
  mkdirSync(dir);
  for (let index = 0; index < 12; index++)
    writeFileSync(join(dir, `01jd00000000000000000000${String(index).padStart(2, '0')}.segment`), 'rubbish');
  const flusher = makeFlusher({ databaseUrl: database.url, dir });
  flusher.start();
  await until(() => segmentNames(dir).length === 0, 'the files to be removed');
  await flusher.stop();
  t.equal(flusher.stats().segments_quarantined, 12);
  t.equal(readdirSync(join(dir, 'quarantine')).length, 8);
});

t.test('a stop first ships what is in the spool', async (t) => {
  const dir = join(t.testdir(), 's');
  const spool = openSpool(dir);
  const flusher = makeFlusher({ databaseUrl: database.url, dir });
  flusher.start();
  await until(() => flusher.stats().failures === 0, 'the first round');
  appendAll(spool, someClicks(500));
  await flusher.stop();
  t.equal((await countClicks(client)).rows, 500);
  spool.stop();
});

t.test('old records of finished segments are deleted', async (t) => {
  await client.query(
    "INSERT INTO click_segments VALUES (gen_random_uuid(), 1, 1, now() - interval '8 days'), (gen_random_uuid(), 1, 1, now() - interval '6 days'), (gen_random_uuid(), 1, 1, NULL)",
  );
  const flusher = makeFlusher({ databaseUrl: database.url, dir: join(t.testdir(), 's') });
  flusher.start();
  await flusher.stop();
  t.equal((await (client as pg.Client).query('SELECT 1 FROM click_segments')).rowCount, 2);
});

t.test('keys that were deleted in the database are used for an hour at most', async (t) => {
  const dir = join(t.testdir(), 's');
  const spool = openSpool(dir);
  t.teardown(() => spool.stop());
  let now = NOW;
  const flusher = makeFlusher({ databaseUrl: database.url, dir, clock: () => now });
  flusher.start();
  t.teardown(() => flusher.stop());
  const visitor = { occurred_at_ms: NOW, address_bytes: new Uint8Array([192, 0, 2, 1]), address_text: '' };
  const hashesAfter = async (clicks: number): Promise<number> => {
    appendAll(spool, [makeClick(visitor)]);
    await untilStored(clicks);
    const { rows } = await client.query('SELECT count(DISTINCT address_hash)::integer AS hashes FROM clicks');
    return rows[0].hashes;
  };
  t.equal(await hashesAfter(1), 1);
  await client.query('DELETE FROM hash_keys');
  now += 3_599_000;
  t.equal(await hashesAfter(2), 1, 'the keys are still remembered');
  now += 1_000;
  t.equal(await hashesAfter(3), 2, 'there is a new key');
});
