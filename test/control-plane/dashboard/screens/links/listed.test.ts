import t from 'tap';
import { aliasesIn, aliasesText, namesIn } from '../../../../../control-plane/dashboard/screens/links/listed.js';

t.test('aliases are one in a line, and what is shown of them is read as the same ones', async (t) => {
  const aliases = ['a,b', 'sale, now/1', 'plain', 'a/b'].map((path) => ({ host: 'go.example.com', path }));
  t.same(aliasesIn(aliasesText(aliases)), aliases);
  t.same(aliasesIn('https://go.example.com/a\n\n \n'), [{ host: 'go.example.com', path: 'a' }]);
  t.same(aliasesIn(aliasesText([{ host: 'go.example.com', path: 'end ' }])), [{ host: 'go.example.com', path: 'end%20' }]);
});

t.test('names have commas or line breaks between them', async (t) => {
  t.same(namesIn('a, b\nc,a,'), ['a', 'b', 'c']);
});
