import t from 'tap';
import { countryName } from '../../../../control-plane/dashboard/format/countries.js';
import { exactCount, share } from '../../../../control-plane/dashboard/format/numbers.js';
import { dateAndTime, daysAgoInWords, relativeTime, wholeDay } from '../../../../control-plane/dashboard/format/times.js';
import { GERMAN } from '../../../../control-plane/dashboard/language/german.js';
import { firstOf, type Language } from '../../../../control-plane/dashboard/language/languages.js';
import { languageOf, quote, quotedAs } from '../../../../control-plane/dashboard/language/quoted.js';
import { setShownLanguage } from '../../../../control-plane/dashboard/language/shown.js';
import { counted, message, setTexts, text, textOf, wordsOfCode } from '../../../../control-plane/dashboard/language/text.js';

function show(language: Language): void {
  setTexts(language === 'de' ? GERMAN : {});
  setShownLanguage(language);
}

t.afterEach(() => show('en'));

t.test('the language is the first one of the browser that the dashboard has', async (t) => {
  t.equal(firstOf(['fr-FR', 'de-AT', 'en']), 'de');
  t.equal(firstOf(['EN-us', 'de']), 'en');
  t.equal(firstOf(['fr', 'tr']), 'en');
  t.equal(firstOf([]), 'en');
  t.equal(firstOf(['den']), 'en', 'another language with the same first letters is not matched');
});

t.test('placeholders are filled after the translation, and filled values are not treated as placeholders', async (t) => {
  const delete_ = message('Delete {name}');
  t.equal(textOf(delete_, { name: '{name}' }), 'Delete {name}');
  t.equal(text('Delete {name}', { other: 1 }), 'Delete {name}', 'a placeholder without a value stays');
  show('de');
  t.equal(textOf(delete_, { name: 'Sommer' }), 'Sommer löschen');
  t.equal(text('Nobody has translated this'), 'Nobody has translated this');
});

t.test('a count has its plural form and its digits in each language', async (t) => {
  const links = (count: number) => counted(count, '{count} link', '{count} links');
  t.same([0, 1, 2, 1234].map(links), ['0 links', '1 link', '2 links', '1,234 links']);
  show('de');
  t.same([0, 1, 2, 1234].map(links), ['0 Links', '1 Link', '2 Links', '1.234 Links']);
});

t.test('dates, numbers and names follow a change of language at once', async (t) => {
  const shown = () => [
    dateAndTime('2026-11-21T14:05:00Z', 'UTC'),
    relativeTime('2026-11-21T11:00:00Z', Date.parse('2026-11-21T14:00:00Z')),
    daysAgoInWords(1),
    wholeDay('2026-11-20'),
    wholeDay('soon'),
    exactCount(1234567),
    share(0.125),
    countryName('DE'),
    countryName(null),
  ];
  t.same(shown(), ['21 Nov 2026, 14:05', '3 hours ago', 'yesterday', '20 Nov 2026', 'soon', '1,234,567', '12.5%', 'Germany', 'Unknown']);
  show('de');
  const german = shown().map((each) => each.replace(/\s/g, ' '));
  t.same(german.slice(0, 6), ['21.11.2026, 14:05', 'vor 3 Stunden', 'gestern', '20.11.2026', 'soon', '1.234.567']);
  t.same(german.slice(6), ['12,5 %', 'Deutschland', 'Unbekannt']);
  show('en');
  t.equal(countryName('DE'), 'Germany');
});

t.test('on a page in another language, texts of the API and texts made of them are marked as English', async (t) => {
  t.equal(languageOf(quote('The path is taken.')), undefined);
  t.equal(wordsOfCode('field', 'too_long'), undefined, 'in English the text of the API is used');
  show('de');
  t.equal(languageOf('The path is taken.'), undefined);
  t.equal(languageOf(quote('The path is taken.')), 'en');
  t.equal(languageOf(quotedAs('The path is taken.', '/path: The path is taken.')), 'en');
  t.equal(languageOf(quotedAs('ist zu lang', 'Ist zu lang.')), undefined);
  t.equal(wordsOfCode('field', 'too_long'), 'ist zu lang');
  t.equal(languageOf(undefined), undefined);
});
