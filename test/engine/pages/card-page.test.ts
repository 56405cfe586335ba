import t from 'tap';
import { brandOf } from '../../../engine/pages/brand.js';
import { renderCardPage } from '../../../engine/pages/card-page.js';
import { genericCard } from '../../../shared/metadata/card.js';
import { parseHtml } from '../../shared/metadata/parse-html.js';

t.test('a card is a complete page without script, with the text of the card as title and heading', async (t) => {
  const site = `R&D "<i>"`;
  const html = renderCardPage(
    genericCard(site),
    {
      site_name: site,
      shared_url: 'https://go.example/x?a=1&b=2',
      onward_url: 'https://shop.example/?a=1&b=2',
      apps: { ios: null, android: null },
    },
    brandOf(site),
  );
  const tokens = parseHtml(html);
  const textAfter = (name: string) => {
    const start = tokens.findIndex((token) => token.kind === 'start' && token.name === name);
    const next = tokens[start + 1];
    return next?.kind === 'text' ? next.text : null;
  };
  t.equal(textAfter('title'), site);
  t.equal(textAfter('h1'), site);
  const starts = tokens.flatMap((token) => (token.kind === 'start' ? [token] : []));
  t.notOk(starts.some((token) => token.name === 'script' || Object.keys(token.attributes).some((name) => name.startsWith('on'))));
  t.same(
    starts.filter((token) => token.name === 'a').map((token) => token.attributes.href),
    ['https://shop.example/?a=1&b=2'],
  );
  t.ok(starts.some((token) => token.attributes.property === 'og:url' && token.attributes.content === 'https://go.example/x?a=1&b=2'));
});
