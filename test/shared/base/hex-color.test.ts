import t from 'tap';
import { hexOf, parseHexColor, type Rgb } from '../../../shared/base/hex-color.js';

t.test('a colour is six hexadecimal digits, with or without a #', async (t) => {
  t.same(parseHexColor('#0D3b66'), { red: 13, green: 59, blue: 102 });
  t.equal(hexOf(parseHexColor('0D3b66') as Rgb), '#0d3b66');
  for (const text of ['', '#fff', 'red', '#0d3b6g', '##0d3b66', '#0d3b66 ']) t.equal(parseHexColor(text), null, text);
});
