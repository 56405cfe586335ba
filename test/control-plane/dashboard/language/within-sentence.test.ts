import t from 'tap';
import { setShownLanguage } from '../../../../control-plane/dashboard/language/shown.js';
import { withinSentence } from '../../../../control-plane/dashboard/language/within-sentence.js';

t.test('a name within a sentence has a small letter in English, unless it is an abbreviation', async (t) => {
  t.equal(withinSentence('Country'), 'country');
  t.equal(withinSentence('Browser version'), 'browser version');
  t.equal(withinSentence('UTM source'), 'UTM source');
  setShownLanguage('de');
  t.teardown(() => setShownLanguage('en'));
  t.equal(withinSentence('Land'), 'Land');
});
