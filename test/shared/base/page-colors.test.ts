import t from 'tap';
import { STYLE } from '../../../engine/pages/style.js';
import { hexOf, parseHexColor, type Rgb } from '../../../shared/base/hex-color.js';
import { contrast, DARK_CARD, LIGHT_CARD, type PageColors, pageColors } from '../../../shared/base/page-colors.js';
import fc from '../../support/properties.js';

const rgb = (text: string) => parseHexColor(text) as Rgb;
const part = fc.integer({ min: 0, max: 255 });
const color = fc.record({ red: part, green: part, blue: part });

t.test('for every colour, text on the page and on the button is readable, and the button stands out from the card', async () => {
  const holds = ({ accent, fill, on, edge, tint }: PageColors, card: Rgb) =>
    contrast(rgb(accent), card) >= 4.5 &&
    contrast(rgb(on), rgb(fill)) >= 4.5 &&
    contrast(rgb(edge), card) >= 3 &&
    contrast(rgb(accent), rgb(tint)) >= 3;
  fc.assert(
    fc.property(color, (one) => {
      const { light, dark } = pageColors(one);
      return holds(light, LIGHT_CARD) && holds(dark, DARK_CARD) && light.fill === hexOf(one) && dark.fill === hexOf(one);
    }),
    { examples: [[rgb('#ffffff')], [rgb('#000000')], [rgb('#ffff00')], [rgb('#181b21')], [rgb('#777777')]] },
  );
});

t.test('a colour that is readable is not changed', async (t) => {
  t.equal(pageColors(rgb('#0d3b66')).light.accent, '#0d3b66');
  t.equal(pageColors(rgb('#ffcc00')).dark.accent, '#ffcc00');
  t.not(pageColors(rgb('#ffcc00')).light.accent, '#ffcc00');
});

t.test('contrast is computed as in WCAG', async (t) => {
  t.equal(contrast(rgb('#000000'), rgb('#ffffff')), 21);
  t.equal(contrast(rgb('#767676'), rgb('#ffffff')).toFixed(2), '4.54');
});

t.test('the colours of cards are those in the style of the pages', async (t) => {
  t.match(STYLE, `--card:${hexOf(LIGHT_CARD).replace('#ffffff', '#fff')};`);
  t.match(STYLE, `--card:${hexOf(DARK_CARD)};`);
});
