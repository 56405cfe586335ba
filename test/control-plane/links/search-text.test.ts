import t from 'tap';
import { textMatch } from '../../../control-plane/links/search-text.js';

t.test('a text that every URL has in one form is a pattern of LIKE', async (t) => {
  t.same(textMatch('c4ca_42-38.a'), { operator: 'ILIKE', patterns: ['%c4ca\\_42-38.a%'] });
});

t.test('other texts are regular expressions: few, and none of them longer than PostgreSQL reads in an index', async (t) => {
  t.same(textMatch('a b&c'), { operator: '~*', patterns: ['a(?:\\ |%20|\\+)b(?:\\&|%26)c'] });
  t.same(textMatch('%2D%E'), { operator: '~*', patterns: ['(?:\\-|%2d)(?:\\%|%25)E', '(?:\\%|%25)2D(?:\\%|%25)E'] });
  t.same(textMatch('Öß'), { operator: '~*', patterns: ['Öß', '%C3%(?:96|B6)%C3%9F'] }, 'ß has no capital of one letter');
  t.same(textMatch('р').patterns, ['р', '%D(?:1%80|0%A0)']);
  t.equal(textMatch('%C3%B6 %26 ö').patterns.length, 3);
});
