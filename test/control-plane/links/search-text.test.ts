import t from 'tap';
import { hasTrigram, textMatch, unescapedText } from '../../../control-plane/links/search-text.js';
import { openDatabase } from '../../support/open-database.js';

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

t.test('every Latin, Greek and Cyrillic letter is found by the index of trigrams, as it is and escaped', async (t) => {
  const { client } = await openDatabase(t);
  const letters = Array.from({ length: 0x530 }, (_, code) => String.fromCodePoint(code)).filter(
    (character) => /\p{L}/u.test(character) && character.toLowerCase() !== character.toUpperCase(),
  );
  t.ok(letters.length > 500);
  const texts = letters.map((letter) => `${letter}qxzw`);
  const stored = [...texts, ...texts.map((text) => `https://example.com/${encodeURIComponent(text)}`)];
  await client.query('CREATE TEMPORARY TABLE stored (text text COLLATE "C")');
  await client.query({ text: 'INSERT INTO stored SELECT unnest($1::text[])', values: [stored] });
  await client.query('CREATE INDEX ON stored USING gin ((text COLLATE "default") gin_trgm_ops)');
  await client.query('SET enable_seqscan = off');
  const found = { ILIKE: new Set<string>(), '~*': new Set<string>() };
  for (const operator of ['ILIKE', '~*'] as const) {
    const given = texts.flatMap((text) => {
      const match = textMatch(text);
      return match.operator === operator ? match.patterns.map((pattern) => ({ text, pattern })) : [];
    });
    const { rows } = await client.query<{ text: string; found: string }>({
      text: `SELECT given.text, stored.text AS found FROM unnest($1::text[], $2::text[]) AS given (text, pattern)
             JOIN stored ON stored.text COLLATE "default" ${operator} given.pattern`,
      values: [given.map(({ text }) => text), given.map(({ pattern }) => pattern)],
    });
    for (const row of rows) found[operator].add(`${row.text} ${row.found}`);
  }
  const isFound = (text: string, at: string) => found.ILIKE.has(`${text} ${at}`) || found['~*'].has(`${text} ${at}`);
  t.same(
    texts.filter((text, index) => !isFound(text, text) || !isFound(text, stored[texts.length + index] as string)),
    [],
  );
});

t.test('three letters or digits in a row have a trigram, and two beside a blank or a sign', async (t) => {
  for (const text of ['abc', 'a1b', 'реклама', '日本語', 'zq ', ' zq', 'to be', 'AB-12', 'p_12', '%41%42%43', 'zq%20', '%zz'])
    t.ok(hasTrigram(unescapedText(text)), text);
  for (const text of ['', 'ab', '...', '& &', 'a b', 'a-b-c', '%41', '%41%42', '%20', '%20%20%20', '%C3%B6', '%41%z', '→zq', '日 本'])
    t.notOk(hasTrigram(unescapedText(text)), text);
});
