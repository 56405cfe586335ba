import t from 'tap';
import { contrastOf, hexOf, luminanceOf, parseHexColor, type Rgb } from '../../../shared/base/contrast.js';

const rgb = (hex: string) => parseHexColor(hex) as Rgb;

t.test('a colour is six hexadecimal digits, with or without a #', async (t) => {
  t.same(parseHexColor('#0D3b66'), { red: 13, green: 59, blue: 102 });
  t.equal(hexOf(rgb('0D3b66')), '#0d3b66');
  for (const text of ['', '#fff', 'red', '#0d3b6g', '##0d3b66', '#0d3b66 ']) t.equal(parseHexColor(text), null, text);
});

t.test('contrast is that of WCAG', async (t) => {
  t.equal(contrastOf(rgb('#000000'), rgb('#ffffff')), 21);
  t.equal(contrastOf(rgb('#336699'), rgb('#336699')), 1);
  // https://webaim.org/articles/contrast/: the lightest grey that text on white may have.
  t.equal(contrastOf(rgb('#ffffff'), rgb('#767676')).toFixed(2), '4.54');
  t.equal(luminanceOf(rgb('#ffffff')), 1);
});
