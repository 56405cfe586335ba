import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import t from 'tap';
import { beginFacts, type Facts, newFacts } from '../../../engine/http/facts.js';
import { splitPlatformVersion } from '../../../engine/spool/click.js';
import { fillAddress, fillClick, newClick } from '../../../engine/visit/click-record.js';
import { decide, decideItem } from '../../../engine/visit/decide.js';
import { AddressRanges } from '../../../shared/net/address-ranges.js';
import { recogniseVisitor } from '../../../shared/resolve/recognise-visitor.js';
import {
  DESKTOP,
  environmentRecord,
  linkRecord,
  locateItem,
  locateLink,
  resourceTypeRecord,
  tableOf,
  templateRecord,
} from '../fixtures.js';
import { RecordedSink } from '../http/recorded-sink.js';

function visitFacts(changes: Partial<Facts>): Facts {
  const facts = newFacts();
  beginFacts(facts, 'GET', '/abc', 'a=1');
  const mac = DESKTOP.replace('Windows NT 10.0; Win64; x64', 'Macintosh; Intel Mac OS X 10_15_7');
  Object.assign(
    facts,
    { host: 'GO.shop.example:443', user_agent: mac, visitor: recogniseVisitor(mac), referrer: 'https://r.example/', country: 'DE' },
    changes,
  );
  return facts;
}

function visited(changes: Partial<Facts> = {}) {
  const facts = visitFacts(changes);
  const link = linkRecord({ campaign: 'spring', allow_param_passthrough: true });
  const decision = decide(facts, locateLink(facts, tableOf({ environments: [environmentRecord({ number: 7 })] })), link, 1);
  return { facts, decision };
}

t.test('a click has the facts of the visit, with the host as the table names it', async (t) => {
  const { facts, decision } = visited();
  const click = newClick();
  fillClick(click, facts, decision, 123);
  t.same(click, {
    occurred_at_ms: 123,
    environment_number: 7,
    kind: 0,
    subject_id: 'lnk_01jd0000000000000000000000',
    texts: null,
    resource_type_id: '',
    item_id: '',
    host: 'go.shop.example',
    path: 'abc',
    user_agent: facts.user_agent,
    platform_hint: '',
    bot_reason: '',
    referrer: 'https://r.example/',
    campaign: 'spring',
    utm: '',
    query: 'a=1',
    params_dropped: false,
    qr: false,
    destination: 'https://shop.example/?a=1',
    country: 'DE',
    address_text: '',
    address_bytes: null,
  });
});

t.test('a client hint is stored only if it was followed', async (t) => {
  const click = newClick();
  const followed = visited({ platform_hint: 'ios' });
  fillClick(click, followed.facts, followed.decision, 1);
  t.equal(click.platform_hint, 'ios');
  const versioned = visited({ platform_hint: 'ios', platform_version: '17.5' });
  fillClick(click, versioned.facts, versioned.decision, 1);
  t.same(splitPlatformVersion(click.user_agent), { user_agent: versioned.facts.user_agent, platform_version: '17.5' });
  const phone = recogniseVisitor('Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/125');
  const ignored = visited({ platform_hint: 'ios', platform_version: '17.5', visitor: phone });
  fillClick(click, ignored.facts, ignored.decision, 1);
  t.same([click.platform_hint, click.user_agent], ['', ignored.facts.user_agent]);
});

t.test('promise R16: the address and country that a proxy names count only behind trusted proxies', async (t) => {
  const click = newClick();
  const { facts } = visited({ forwarded_for: '6.6.6.6, 203.0.113.7' });
  const socket = [192, 0, 2, 1];
  const table: [hops: number, proxies: string, text: string, bytes: number[] | null, country: string][] = [
    [0, '', '', socket, ''],
    [1, '', '203.0.113.7', null, 'DE'],
    [3, '', '', socket, ''],
    [0, '192.0.2.0/24', '203.0.113.7', null, 'DE'],
    [2, '192.0.2.1', '6.6.6.6', null, 'DE'],
    [0, '198.51.100.0/24', '', socket, ''],
    [1, '198.51.100.0/24', '', socket, ''],
  ];
  for (const [hops, cidr, text, bytes, country] of table) {
    click.country = 'DE';
    fillAddress(click, facts, new RecordedSink(), { hops, proxies: cidr === '' ? null : AddressRanges.parse([cidr]) });
    const got = [click.address_text, click.address_bytes === null ? null : [...click.address_bytes], click.country];
    t.same(got, [text, bytes, country], `${hops} hops, proxies ${cidr}`);
  }
});

t.test('a click on an item names the template, the type and the id of the item', async (t) => {
  const facts = visitFacts({ path: '/p/caf%C3%A9%2F1/' });
  const template = templateRecord({
    id_format: { kind: 'charset', charset: 'a-z0-9/é', min_length: 1, max_length: 9 },
    environment_number: 7,
  });
  const environments = [environmentRecord({ number: 7 })];
  const table = tableOf({ environments, resource_types: [resourceTypeRecord({ environment_number: 7 })], templates: [template] });
  const click = newClick();
  fillClick(click, facts, decideItem(facts, locateItem(facts, table), 5), 5);
  t.match(click, {
    environment_number: 7,
    kind: 1,
    subject_id: template.id,
    resource_type_id: template.resource_type_id,
    item_id: 'café/1',
    host: 'go.shop.example',
    path: 'p/caf%C3%A9%2F1',
    campaign: '',
    utm: '',
    query: '',
    destination: 'https://shop.example/',
  });
  const { facts: next, decision } = visited();
  fillClick(click, next, decision, 6);
  t.match(
    click,
    { kind: 0, subject_id: decision.link?.id, resource_type_id: '', item_id: '' },
    'nothing of the item is left in the next click',
  );
});

t.test('all clicks have one object shape', async (t) => {
  setFlagsFromString('--allow-natives-syntax');
  const haveSameMap = runInThisContext('(a, b) => %HaveSameMap(a, b)') as (a: unknown, b: unknown) => boolean;
  const click = newClick();
  const { facts, decision } = visited();
  fillClick(click, facts, decision, 1);
  fillAddress(click, facts, new RecordedSink(), { hops: 0, proxies: null });
  t.ok(haveSameMap(click, newClick()));
});
