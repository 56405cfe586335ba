import t from 'tap';
import { escapeHtml } from '../../../shared/base/escape-html.js';
import fc from '../../support/properties.js';

t.test('escaped text has no character that could end an element or attribute, or start a reference', async (t) => {
  t.equal(escapeHtml(`<a href="x" title='y' on=\`z\`>&amp;`), '&#60;a href=&#34;x&#34; title=&#39;y&#39; on=&#96;z&#96;&#62;&#38;amp;');
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => !/[<>"'`]|&(?!#\d+;)/.test(escapeHtml(text))));
});

t.test('escaped text is read back as the original text', async (t) => {
  const read = (html: string) => html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => read(escapeHtml(text)) === text));
  t.equal(escapeHtml('plain, with ümlauts and 🎉'), 'plain, with ümlauts and 🎉');
});
