import { chooseLanguage, useLanguageChoice } from '../language/language.js';
import { LANGUAGES, type Language } from '../language/languages.js';
import { text } from '../language/text.js';
import { toast } from '../parts/toasts.js';

/** Each language has its name in that language, so that people find theirs even if they cannot read the page's language. */
const NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** Chooses the language of the page: the browser's, or a specific one. */
export function LanguageChoice() {
  const choice = useLanguageChoice();
  const choose = (language: Language | null) => {
    chooseLanguage(language).catch(() => toast(text('The language cannot be loaded. Try again.'), 'bad'));
  };
  return (
    <fieldset className="segments language-choice">
      <legend className="visually-hidden">{text('Language')}</legend>
      <button type="button" aria-pressed={choice === null} onClick={() => choose(null)} title={text('Same as browser')}>
        {text('Browser')}
      </button>
      {LANGUAGES.map((language) => (
        <button key={language} type="button" lang={language} aria-pressed={choice === language} onClick={() => choose(language)}>
          {NAMES[language]}
        </button>
      ))}
    </fieldset>
  );
}
