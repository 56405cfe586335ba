import t from 'tap';
import type { Answer } from '../../../shared/metadata/answer.js';
import { appLinks, type Card, composeCard, genericCard, linkCard } from '../../../shared/metadata/card.js';
import { type CardContext, renderCard } from '../../../shared/metadata/card-html.js';
import fc from '../../support/properties.js';
import { parseHtml, type Token } from './parse-html.js';

const metadata = {
  title: 'Lamp',
  description: 'It shines.',
  image_url: 'https://img.example/lamp.png',
  canonical_url: 'https://shop.example/lamp',
  deep_link_path: '/product/lamp',
  web_fallback_url: 'https://shop.example/fallback',
  resource_status: 'live',
};
const ok: Answer = { outcome: 'ok', reason: null, status: 200, metadata, meaning: 'published', warnings: [], issues: [] };

t.test('the kind of a card follows from the answer', async (t) => {
  const empty = { ...metadata, title: null, description: null, image_url: null };
  const table: [string, Answer | null, Card['kind'], string][] = [
    ['a usable answer', ok, 'item', 'Lamp'],
    ['an answer without a title', { ...ok, metadata: empty }, 'item', 'Shop'],
    ['no answer', null, 'generic', 'Shop'],
    ['an unpublished item', { ...ok, meaning: 'unpublished' }, 'unavailable', 'Shop'],
    ['a deleted item', { ...ok, meaning: 'deleted' }, 'unavailable', 'Shop'],
    [
      'a deleted item that lacks a required field',
      { ...ok, outcome: 'invalid', reason: 'missing_required_field', meaning: 'deleted' },
      'unavailable',
      'Shop',
    ],
    ['an item that lacks a required field', { ...ok, outcome: 'invalid', reason: 'missing_required_field' }, 'generic', 'Shop'],
    ['an item the API does not know', { ...ok, outcome: 'missing', status: 404, metadata: null }, 'unavailable', 'Shop'],
    ['a failed call', { ...ok, outcome: 'error', reason: 'timeout', status: null, metadata: null }, 'generic', 'Shop'],
  ];
  for (const [name, answer, kind, title] of table) {
    const card = composeCard(answer, 'Shop');
    t.match(card, { kind, title }, name);
    if (kind !== 'item')
      t.match(card, { image_url: null, canonical_url: null, deep_link_path: null, large_image: false }, `${name}: nothing of the item`);
  }
  t.match(composeCard(ok, 'Shop'), { ...metadata, resource_status: undefined, large_image: true });
  t.equal(composeCard({ ...ok, metadata: empty }, 'Shop').large_image, false);
});

t.test("the card of a link has the project's name if it has no title, and nothing that it does not set", async (t) => {
  const said = { title: 'Spring', description: 'Now.', image_url: 'https://img.example/1.png' };
  t.match(linkCard(said, 'Shop'), { ...said, kind: 'item', large_image: true, canonical_url: null, web_fallback_url: null });
  t.match(linkCard({ title: null, description: 'Now.', image_url: null }, 'Shop'), {
    title: 'Shop',
    description: 'Now.',
    large_image: false,
  });
});

const context: CardContext = {
  site_name: 'Shop',
  shared_url: 'https://go.example/p/1',
  onward_url: 'https://shop.example/p/1',
  apps: { ios: { url: 'shop://p/1', app_store_id: '99' }, android: { url: 'shop://p/1', package_name: 'org.shop' } },
};

/** The tags of the head by name. Throws if a name occurs twice. */
function tagsOf(head: string): Record<string, string> {
  const tags: Record<string, string> = {};
  for (const token of parseHtml(head)) {
    if (token.kind === 'text' && token.text.trim() === '') continue;
    if (token.kind !== 'start') throw new Error(`not a tag: ${JSON.stringify(token)}`);
    const { property, name, rel, content, href, ...others } = token.attributes;
    const key = property ?? name ?? rel ?? '';
    if (!['meta', 'link'].includes(token.name) || Object.hasOwn(tags, key) || Object.keys(others).length > 0)
      throw new Error(`unexpected: ${JSON.stringify(token)}`);
    tags[key] = content ?? href ?? '';
  }
  return tags;
}

t.test('a card has OpenGraph, Twitter and App Links tags and a canonical URL', async (t) => {
  t.same(tagsOf(renderCard(composeCard(ok, 'Shop'), context).head), {
    'og:type': 'website',
    'og:title': 'Lamp',
    'og:description': 'It shines.',
    'og:url': 'https://go.example/p/1',
    'og:site_name': 'Shop',
    'og:image': 'https://img.example/lamp.png',
    description: 'It shines.',
    'twitter:card': 'summary_large_image',
    'twitter:title': 'Lamp',
    'twitter:description': 'It shines.',
    'twitter:image': 'https://img.example/lamp.png',
    'al:ios:url': 'shop://p/1',
    'al:ios:app_store_id': '99',
    'al:ios:app_name': 'Shop',
    'al:android:url': 'shop://p/1',
    'al:android:package': 'org.shop',
    'al:android:app_name': 'Shop',
    'al:web:url': 'https://shop.example/fallback',
    canonical: 'https://shop.example/lamp',
  });
  t.same(tagsOf(renderCard(genericCard('Shop'), { ...context, onward_url: '', apps: { ios: null, android: null } }).head), {
    'og:type': 'website',
    'og:title': 'Shop',
    'og:description': 'Open this link in Shop.',
    'og:url': 'https://go.example/p/1',
    'og:site_name': 'Shop',
    description: 'Open this link in Shop.',
    'twitter:card': 'summary',
    'twitter:title': 'Shop',
    'twitter:description': 'Open this link in Shop.',
    canonical: 'https://go.example/p/1',
  });
});

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        "'",
        '<',
        '>',
        '&',
        '`',
        '=',
        ' ',
        '/',
        '\n',
        '"><script>alert(1)</script>',
        '" onload="x',
        "' onload='x",
        '</h1>',
        '<!--',
        '-->',
        ']]>',
        '&quot;',
        '&#34;',
        '&#x3C;script&#x3E;',
        '&lt',
        '</title>',
        '\\"',
        '\u2028',
        '＜',
        '"/>',
        '{id}',
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(''))
  .filter((text) => text !== '');

t.test('no text breaks out of its place: a parsed page has exactly the texts that were put in', async () => {
  fc.assert(
    fc.property(
      fc.record({
        title: hostile,
        description: hostile,
        image_url: hostile,
        canonical_url: hostile,
        web_fallback_url: hostile,
        site: hostile,
        shared: hostile,
        app: hostile,
      }),
      (texts) => {
        const { site, shared, app, ...fields } = texts;
        const card: Card = { kind: 'item', large_image: true, deep_link_path: null, ...fields };
        const html = renderCard(card, {
          site_name: site,
          shared_url: shared,
          onward_url: 'https://unused.example/',
          apps: { ios: { url: app, app_store_id: app }, android: { url: app, package_name: app } },
        });
        const tags = tagsOf(html.head);
        const wanted: Record<string, string> = {
          'og:title': fields.title,
          'og:description': fields.description,
          'og:image': fields.image_url,
          'og:url': shared,
          'og:site_name': site,
          description: fields.description,
          'twitter:title': fields.title,
          'al:ios:url': app,
          'al:android:package': app,
          'al:web:url': fields.web_fallback_url,
          canonical: fields.canonical_url,
        };
        for (const [name, text] of Object.entries(wanted))
          if (tags[name] !== text) throw new Error(`${name}: ${JSON.stringify(tags[name])}`);
        if (Object.keys(tags).length !== 19) throw new Error(`tags: ${Object.keys(tags)}`);
        const body: Token[] = parseHtml(html.main).filter((token) => token.kind !== 'text' || token.text !== '\n');
        const wantedBody: Token[] = [
          { kind: 'start', name: 'h1', attributes: {} },
          { kind: 'text', text: fields.title },
          { kind: 'end', name: 'h1' },
          { kind: 'start', name: 'p', attributes: {} },
          { kind: 'text', text: fields.description },
          { kind: 'end', name: 'p' },
          { kind: 'start', name: 'p', attributes: { class: 'actions' } },
          { kind: 'start', name: 'a', attributes: { class: 'main', href: fields.web_fallback_url, rel: 'nofollow noreferrer' } },
          { kind: 'text', text: 'Continue' },
          { kind: 'end', name: 'a' },
          { kind: 'end', name: 'p' },
        ];
        const plain = (tokens: Token[]) => JSON.stringify(tokens.filter((token) => token.kind !== 'text' || token.text !== '\n'));
        if (plain(body) !== plain(wantedBody)) throw new Error(`body: ${JSON.stringify(body)}`);
      },
    ),
    { numRuns: 10_000 },
  );
});

t.test('the parser of these tests detects a text that breaks out', async (t) => {
  t.throws(() => tagsOf('<meta name="a" content="x"><script>"><link rel="b" href="c">'), /script/);
  t.throws(() => tagsOf('<meta name="a" content="x" onload="y">'), /onload/);
  t.throws(() => tagsOf("<meta name='a' content='x' onload='y'>"), /onload/);
  t.same(tagsOf('<meta name=a content=&quot;x&#34;>'), { a: '"x"' });
});

t.test('App Links name the first app of each platform', async (t) => {
  const ios = { team_id: 'T', bundle_id: 'b', app_store_url: 'https://apps.apple.com/de/app/shop/id123?mt=8', uri_scheme: 'shop' };
  const android = { package_name: 'org.shop', sha256_cert_fingerprints: [], play_store_url: null, uri_scheme: null };
  t.same(appLinks(ios, android, '/p/ä b?x=1'), {
    ios: { url: 'shop://p/%C3%A4%20b?x=1', app_store_id: '123' },
    android: { url: '', package_name: 'org.shop' },
  });
  t.same(appLinks({ ...ios, app_store_url: null, uri_scheme: 'shop://' }, { ...android, uri_scheme: 'shop' }, '/'), {
    ios: { url: 'shop://', app_store_id: '' },
    android: { url: 'shop://', package_name: 'org.shop' },
  });
  t.same(appLinks({ ...ios, uri_scheme: null }, undefined, '/'), { ios: null, android: null });
});
