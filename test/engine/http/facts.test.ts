import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import t from 'tap';
import { beginFacts, copyFacts, type Facts, headerReader, newFacts } from '../../../engine/http/facts.js';
import { compileTable } from '../../../engine/route/compile-table.js';
import { decide } from '../../../engine/route/decide.js';
import { locate } from '../../../engine/route/locate.js';
import { recogniseVisitor, withClientHints } from '../../../shared/resolve/visitor.js';
import { ANDROID, DESKTOP, environmentRecord, IPHONE, linkRecord, NO_DESTINATIONS, PREVIEW } from '../fixtures.js';

function read(headers: readonly (readonly [string, string])[], countryHeader = ''): Facts {
  const facts = newFacts();
  const reader = headerReader(facts, countryHeader);
  for (const [name, value] of headers) reader(name, value);
  return facts;
}

t.test('headers become facts', async (t) => {
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
      body: false,
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

t.test('a body is seen in every way it can be announced', async (t) => {
  for (const headers of [
    [['content-length', '5']],
    [['content-length', '']],
    [['content-length', '00']],
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
    t.equal(read(headers).body, true, JSON.stringify(headers));
  t.equal(read([['content-length', '0']]).body, false);
});

t.test('a prefetch is seen in each of its headers, and no later header hides it', async (t) => {
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

t.test('the country comes from the header that is set, and only as two letters', async (t) => {
  t.equal(read([['cf-ipcountry', 'de']], 'cf-ipcountry').country, 'DE');
  for (const value of ['', 'XX', 'T1', 'DEU', 'd\u0000', '<b']) t.equal(read([['cf-ipcountry', value]], 'cf-ipcountry').country, '', value);
  t.equal(read([['cf-ipcountry', 'DE']]).country, '', 'no header is trusted by itself');
  t.equal(read([['host', 'de']], 'host').country, 'DE', 'a header that is read for something else may be it');
});

t.test('texts are bounded', async (t) => {
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

t.test('facts, verdicts and decisions have one shape each, whatever was asked', async (t) => {
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
  const table = compileTable({ environments: [environmentRecord()] });
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
      return decide(facts, locate(facts, table), link, 1);
    }),
  );
  for (const decision of decisions) t.ok(haveSameMap(decisions[0], decision), decision.outcome);
});
