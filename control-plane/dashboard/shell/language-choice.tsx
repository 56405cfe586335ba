import { chooseLanguage, useLanguageChoice } from '../language/language.js';
import { LANGUAGES, type Language } from '../language/languages.js';
import { text } from '../language/text.js';
import { toast } from '../parts/toasts.js';

/** Each by its own name: who does not read the page's language finds theirs. */
const NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** The language of the page. */
export function LanguageChoice() {
  const choice = useLanguageChoice();
  const choose = (value: string) => {
    chooseLanguage(LANGUAGES.find((language) => language === value) ?? null).catch(() =>
      toast(text('The language cannot be loaded. Try it again.'), 'bad'),
    );
  };
  return (
    <select
      className="language-choice"
      aria-label={text('Language')}
      title={text('Language')}
      value={choice ?? ''}
      onChange={({ target }) => choose(target.value)}
    >
      <option value="">{text('As the browser')}</option>
      {LANGUAGES.map((language) => (
        <option key={language} value={language} lang={language}>
          {NAMES[language]}
        </option>
      ))}
    </select>
  );
}
