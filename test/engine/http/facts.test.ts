import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import t from 'tap';
import {
  beginFacts,
  copyFacts,
  type Facts,
  type HeaderOptions,
  headerReader,
  newFacts,
  readAbsoluteForm,
} from '../../../engine/http/facts.js';
import { decide } from '../../../engine/visit/decide.js';
import { recogniseVisitor, withClientHints } from '../../../shared/resolve/recognise-visitor.js';
import { ANDROID, DESKTOP, environmentRecord, IPHONE, linkRecord, locateLink, NO_DESTINATIONS, PREVIEW, tableOf } from '../fixtures.js';

const NO_HEADERS: HeaderOptions = { countryHeader: '', regionHeader: '', cityHeader: '', honoursOptOut: false };

function read(headers: readonly (readonly [string, string])[], countryHeader = '', honoursOptOut = false): Facts {
  return readWith(headers, { ...NO_HEADERS, countryHeader, honoursOptOut });
}

function readWith(headers: readonly (readonly [string, string])[], options: HeaderOptions): Facts {
  const facts = newFacts();
  const reader = headerReader(facts, options);
  for (const [name, value] of headers) reader(name, value);
  return facts;
}

t.test('the headers of a request are read into its facts', async (t) => {
  t.match(
    read([
      ['host', 'go.shop.example'],
      ['user-agent', 'agent'],
      ['referer', 'https://r.example/'],
      ['sec-ch-ua-platform', '"Android"'],
      ['sec-ch-ua-platform-version', '"14.0.0"'],
      ['accept-language', 'de-AT'],
      ['accept-language', 'en;q=0.5'],
      ['x-forwarded-for', '1.1.1.1'],
      ['x-forwarded-for', '2.2.2.2, 3.3.3.3'],
    ]),
    {
      host: 'go.shop.example',
      hosts: 1,
      body: 'none',
      user_agent: 'agent',
      referrer: 'https://r.example/',
      platform_hint: 'android',
      platform_version: '14',
      accept_language: 'de-AT,en;q=0.5',
      forwarded_for: '1.1.1.1,2.2.2.2, 3.3.3.3',
      prefetch: false,
    },
  );
});

t.test('a body ends clearly only where there is one well-formed Content-Length, and other lengths are unclear', async (t) => {
  for (const length of ['0', '00']) t.equal(read([['content-length', length]]).body, 'none', length);
  for (const length of ['5', '05', '999999999999999']) t.equal(read([['content-length', length]]).body, 'sized', length);
  for (const headers of [
    [['content-length', '']],
    [['content-length', '+5']],
    [['content-length', '5, 5']],
    [['content-length', '0x5']],
    [['content-length', '٥']],
    [['content-length', '9'.repeat(16)]],
    [
      ['content-length', '5'],
      ['content-length', '5'],
    ],
    [
      ['transfer-encoding', 'chunked'],
      ['content-length', '5'],
    ],
    [
      ['content-length', '5'],
      ['transfer-encoding', 'chunked'],
    ],
    [
      ['content-length', '0'],
      ['content-length', '0'],
    ],
    [
      ['content-length', ''],
      ['content-length', '5'],
    ],
    [['transfer-encoding', '']],
    [['transfer-encoding', 'chunked']],
  ] as const)
    t.equal(read(headers).body, 'unclear', JSON.stringify(headers));
});

t.test('the host of an absolute target goes before the one in the Host header', async (t) => {
  for (const [path, host, rest] of [
    ['http://other.example/abc', 'other.example', '/abc'],
    ['HTTPS://other.example:8443/a/b', 'other.example:8443', '/a/b'],
    ['http://other.example', 'other.example', '/'],
  ] as const) {
    const facts = read([['host', 'go.shop.example']]);
    facts.path = path;
    t.ok(readAbsoluteForm(facts), path);
    t.same([facts.host, facts.path, facts.hosts], [host, rest, 1], path);
  }
  for (const path of ['*', 'other.example:443', 'http:/abc', 'http:///abc', 'ftp://other.example/abc', '/http://other.example/']) {
    const facts = read([['host', 'go.shop.example']]);
    facts.path = path;
    t.notOk(readAbsoluteForm(facts), path);
    t.same([facts.host, facts.path], ['go.shop.example', path]);
  }
});

t.test('a prefetch is recognised by each of its headers, and no later header hides it', async (t) => {
  for (const name of ['sec-purpose', 'purpose', 'x-moz'])
    t.equal(
      read([
        [name, 'prefetch'],
        [name, ''],
      ]).prefetch,
      true,
      name,
    );
});

t.test('the country comes from the configured header, and only as two letters', async (t) => {
  t.equal(read([['cf-ipcountry', 'de']], 'cf-ipcountry').country, 'DE');
  for (const value of ['', 'XX', 'xx', 'ZZ', 'zz', 'T1', 'DEU', 'd\u0000', '<b', 'ß'])
    t.equal(read([['cf-ipcountry', value]], 'cf-ipcountry').country, '', value);
  t.equal(read([['cf-ipcountry', 'DE']]).country, '', 'no header is trusted unless it is configured');
  t.equal(read([['host', 'de']], 'host').country, 'DE', 'a header that is read for another purpose may be configured');
});

t.test('region and city come from the configured headers as they were sent, and from no others', async (t) => {
  const headers = [
    ['cf-region-code', 'BE'],
    ['cf-ipcity', 'Berlin'],
    ['user-agent', IPHONE],
  ] as const;
  const options = { ...NO_HEADERS, regionHeader: 'cf-region-code', cityHeader: 'cf-ipcity' };
  t.match(readWith(headers, options), { region: 'BE', city: 'Berlin', user_agent: IPHONE });
  t.match(readWith(headers, { ...options, regionHeader: '' }), { region: '', city: 'Berlin' });
  t.match(readWith(headers, NO_HEADERS), { region: '', city: '' });
  t.equal(readWith([['cf-ipcity', 'x'.repeat(513)]], options).city, '', 'no place has a name that long');
  const facts = readWith(headers, options);
  t.match(copyFacts(facts), { region: 'BE', city: 'Berlin' });
  beginFacts(facts, 'GET', '/', '');
  t.match(facts, { region: '', city: '' }, 'nothing of the previous request is left');
});

t.test('texts are limited in length', async (t) => {
  const facts = read([
    ['user-agent', 'u'.repeat(9000)],
    ['referer', 'r'.repeat(9000)],
    ['accept-language', 'l'.repeat(9000)],
  ]);
  t.same([facts.user_agent.length, facts.referrer.length, facts.accept_language.length], [1024, 2048, 256]);
});

t.test('nothing of one request is left in the next', async (t) => {
  const facts = read([
    ['host', 'a'],
    ['user-agent', 'a'],
    ['referer', 'a'],
    ['purpose', 'prefetch'],
    ['content-length', '5'],
    ['x-forwarded-for', 'a'],
    ['sec-ch-ua-platform', '"iOS"'],
    ['sec-ch-ua-platform-version', '"17.0"'],
    ['accept-language', 'de'],
  ]);
  facts.visitor = recogniseVisitor(IPHONE);
  beginFacts(facts, 'GET', '/', '');
  const fresh = newFacts();
  beginFacts(fresh, 'GET', '/', '');
  t.same(facts, fresh);
});

setFlagsFromString('--allow-natives-syntax');
const haveSameMap = runInThisContext('(a, b) => %HaveSameMap(a, b)') as (a: unknown, b: unknown) => boolean;

t.test('facts, visitors and decisions each have a single object shape', async (t) => {
  const first = newFacts();
  const filled = read([
    ['host', 'go.shop.example'],
    ['purpose', 'prefetch'],
    ['user-agent', IPHONE],
  ]);
  t.ok(haveSameMap(first, filled));
  t.ok(haveSameMap(first, copyFacts(filled)));
  const visitors = [IPHONE, ANDROID, DESKTOP, PREVIEW, ''].map(recogniseVisitor);
  for (const visitor of [...visitors, withClientHints(visitors[2]!, 'ios', '17'), first.visitor]) t.ok(haveSameMap(visitors[0], visitor));
  const table = tableOf({ environments: [environmentRecord()] });
  const decisions = [
    null,
    linkRecord(),
    linkRecord({ state: 'blocked' }),
    linkRecord({ destinations: { ...NO_DESTINATIONS, ios: 'shop://a' } }),
  ].flatMap((link) =>
    visitors.map((visitor) => {
      const facts = newFacts();
      beginFacts(facts, 'GET', '/abc', 'a=1');
      facts.host = 'go.shop.example';
      facts.visitor = visitor;
      return decide(facts, locateLink(facts, table), link, 1);
    }),
  );
  for (const decision of decisions) t.ok(haveSameMap(decisions[0], decision), decision.outcome);
});

t.test('a GET by the script of the password page is recognised by the scheme of its credentials', async (t) => {
  for (const [method, authorization, expected] of [
    ['GET', 'Link-Password eA==', 'page_get'],
    ['GET', 'link-password eA==', 'page_get'],
    ['GET', 'Link-Passwords eA==', 'GET'],
    ['GET', 'Basic eA==', 'GET'],
    ['HEAD', 'Link-Password eA==', 'HEAD'],
    ['other', 'Link-Password eA==', 'other'],
  ] as const) {
    const facts = newFacts();
    beginFacts(facts, method, '/abc', '');
    headerReader(facts, NO_HEADERS)('authorization', authorization);
    t.same([facts.method, facts.authorization], [expected, authorization]);
    t.equal(copyFacts(facts).method, expected);
    beginFacts(facts, 'GET', '/abc', '');
    t.equal(facts.method, 'GET', 'nothing of the previous request is left');
  }
});
