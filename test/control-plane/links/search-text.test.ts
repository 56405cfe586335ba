import t from 'tap';
import { hasTrigram, textMatch, unescapedText } from '../../../control-plane/links/search-text.js';

t.test('a text that every URL has in one form is a pattern of LIKE', async (t) => {
  t.same(textMatch('c4ca_42-38.a'), { operator: 'ILIKE', patterns: ['%c4ca\\_42-38.a%'] });
});

t.test('other texts are regular expressions: few, and none of them longer than PostgreSQL reads in an index', async (t) => {
  t.same(textMatch('a b&c'), { operator: '~*', patterns: ['a(?:\\ |%20|\\+)b(?:\\&|%26)c'] });
  t.same(textMatch('%2D%E'), { operator: '~*', patterns: ['(?:\\-|%2d)(?:\\%|%25)E', '(?:\\%|%25)2D(?:\\%|%25)E'] });
  t.same(
    textMatch('Öß'),
    { operator: '~*', patterns: ['Öß', '%C3%(?:96|B6)%C3%9F', 'xn\\-\\-zca9b'] },
    'ß has no capital of one letter, and a host has another form',
  );
  t.same(textMatch('р').patterns, ['р', '%D(?:1%80|0%A0)', 'xn\\-\\-p1a']);
  t.equal(textMatch('%C3%B6 %26 ö').patterns.length, 4);
});

t.test('three letters or digits in a row have a trigram, and two beside a blank or a sign', async (t) => {
  for (const text of ['abc', 'a1b', 'реклама', '日本語', 'zq ', ' zq', 'to be', 'AB-12', 'p_12', '%41%42%43', 'zq%20', '%zz'])
    t.ok(hasTrigram(unescapedText(text)), text);
  for (const text of ['', 'ab', '...', '& &', 'a b', 'a-b-c', '%41', '%41%42', '%20', '%20%20%20', '%C3%B6', '%41%z', '→zq', '日 本'])
    t.notOk(hasTrigram(unescapedText(text)), text);
});
