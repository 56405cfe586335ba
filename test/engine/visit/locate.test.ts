import t from 'tap';
import { beginFacts, newFacts } from '../../../engine/http/facts.js';
import { locate, type Target } from '../../../engine/visit/locate.js';
import { shortPath } from '../../../shared/resolve/link-addresses.js';
import { environmentRecord, tableOf } from '../fixtures.js';

const TABLE = tableOf({ environments: [environmentRecord()] });

function at(host: string, path: string): Target {
  const facts = newFacts();
  beginFacts(facts, 'GET', path, '');
  facts.host = host;
  return locate(facts, TABLE);
}

t.test('a short path is one segment of 1 to 64 letters, digits, hyphens and underscores', async (t) => {
  for (const [path, expected] of [
    ['/abc', 'abc'],
    ['/abc/', 'abc'],
    ['/A-b_9', 'A-b_9'],
    [`/${'a'.repeat(64)}`, 'a'.repeat(64)],
    [`/${'a'.repeat(64)}/`, 'a'.repeat(64)],
    [`/${'a'.repeat(65)}`, ''],
    ['/', ''],
    ['//', ''],
    ['', ''],
    ['abc', ''],
    ['/a/b', ''],
    ['/abc//', ''],
    ['/a.b', ''],
    ['/ä', ''],
    ['/a b', ''],
  ] as const)
    t.equal(shortPath(path), expected, path);
});

t.test('an escaped character of a short path counts as the character, and any other escape makes the path invalid', async (t) => {
  const escaped = (path: string) => [...path].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
  for (const [path, expected] of [
    ['/a%62', 'ab'],
    ['/%61-%5F%5f%2D9/', 'a-__-9'],
    [`/${escaped('Z'.repeat(64))}/`, 'Z'.repeat(64)],
    [`/${escaped('Z'.repeat(65))}`, ''],
    ['/%', ''],
    ['/a%6', ''],
    ['/a%zz', ''],
    ['/a%2562', ''],
    ['/ab%2F', ''],
    ['%2Fab', ''],
    ['/a%C3%A4', ''],
    ['/a%00', ''],
    ['/a%20', ''],
  ] as const)
    t.equal(shortPath(path), expected, path);
});

t.test('reserved addresses answer on every host, before any link of the same name', async (t) => {
  for (const [path, kind] of [
    ['/.well-known/apple-app-site-association', 'apple_app_site_association'],
    ['/apple-app-site-association', 'apple_app_site_association'],
    ['/.well-known/assetlinks.json', 'asset_links'],
    ['/robots.txt', 'robots'],
    ['/health/live', 'live'],
    ['/health/ready', 'ready'],
    ['/.well-known/click-device', 'click_device'],
    ['/.well-known/link-host', 'host_proof'],
    ['/.well-known/brand-logo', 'brand_logo'],
  ] as const)
    for (const host of ['go.shop.example', 'nobody.example']) t.equal(at(host, path).kind, kind, `${host}${path}`);
});

t.test('an unknown host is recognised before an invalid path', async (t) => {
  t.equal(at('nobody.example', '/abc').kind, 'unknown_host');
  t.equal(at('nobody.example', '/a/b').kind, 'unknown_host');
  t.equal(at('go.shop.example', '/a/b').kind, 'not_found');
  t.match(at('go.shop.example', '/abc'), { kind: 'link', path: 'abc', entry: { role: 'link' } });
  t.match(at('open.go.shop.example', '/abc'), { kind: 'link', path: 'abc', entry: { role: 'open' } });
});
