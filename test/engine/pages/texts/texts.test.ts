import t from 'tap';
import { LANGUAGES } from '../../../../engine/pages/texts/language.js';
import { PROJECT, STATUS_PAGE_NAMES, type Texts } from '../../../../engine/pages/texts/page-texts.js';
import { TEXTS } from '../../../../engine/pages/texts/texts.js';

function all(texts: Texts): ReadonlyMap<string, string> {
  const flat = new Map<string, string>();
  const walk = (name: string, value: unknown): void => {
    if (typeof value === 'string') flat.set(name, value);
    else for (const [key, member] of Object.entries(value as object)) walk(`${name}.${key}`, member);
  };
  walk('', texts);
  return flat;
}

t.test('every language has every text, and names the project where English does', async (t) => {
  const english = all(TEXTS.en);
  t.same(Object.keys(TEXTS).sort(), [...LANGUAGES].sort());
  t.same(Object.keys(TEXTS.en.status).sort(), [...STATUS_PAGE_NAMES].sort());
  for (const language of LANGUAGES) {
    const texts = all(TEXTS[language]);
    t.same([...texts.keys()].sort(), [...english.keys()].sort(), language);
    for (const [name, text] of texts) {
      const where = `${language}${name}`;
      t.ok(text.trim() === text && text !== '', where);
      t.equal(text.split(PROJECT).length, english.get(name)?.split(PROJECT).length, `${where} names the project as often as English does`);
      t.notMatch(text.replaceAll(PROJECT, ''), /[{}<>]|\p{Cc}/u, where);
      if (language !== 'en' && text === english.get(name)) t.fail(`${where} is not translated`);
    }
  }
});
