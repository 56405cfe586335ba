import t from 'tap';
import { aliasesIn, aliasesText, namesIn } from '../../../../../control-plane/dashboard/screens/links/listed.js';

t.test('aliases are shown one in a line, and the text is read back as the same aliases', async (t) => {
  const aliases = ['a,b', 'sale, now/1', 'plain', 'a/b'].map((path) => ({ host: 'go.example.com', path }));
  t.same(aliasesIn(aliasesText(aliases)), aliases);
  t.same(aliasesIn('https://go.example.com/a\n\n \n'), [{ host: 'go.example.com', path: 'a' }]);
  t.same(aliasesIn(aliasesText([{ host: 'go.example.com', path: 'end ' }])), [{ host: 'go.example.com', path: 'end%20' }]);
});

t.test('names are separated by commas or line breaks', async (t) => {
  t.same(namesIn('a, b\nc,a,'), ['a', 'b', 'c']);
});
