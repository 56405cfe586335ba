import type { Catalogue } from './german/catalogue.js';
import { perLocale } from './shown.js';

/**
 * The source contains the page's texts in English, at the places where they are shown. The catalogue of another language has a text for
 * each of them. `text('Delete {name}?', { name })` looks up the whole sentence with its placeholders and then fills them in.
 */
let catalogue: Catalogue = {};

export function setTexts(texts: Catalogue): void {
  catalogue = texts;
}

type Values = Readonly<Record<string, string | number>>;

/** A text in the language that is shown. Callers pass a literal, so that a test can compare the source with the catalogues. */
export function text(english: string, values?: Values): string {
  const found = catalogue[english];
  return filled(typeof found === 'string' ? found : english, values);
}

/** The words for a code of the API in another language. Undefined in English, where the words come with the code or are the code itself. */
export function wordsOfCode(kind: 'problem' | 'field' | 'status', code: string): string | undefined {
  return catalogue[`${kind}.${code}`] as string | undefined;
}

declare const MESSAGE: unique symbol;
/**
 * A text in a table that is created before the language is known, or that outlives a change of language. `textOf` returns the text to show.
 */
export interface Message {
  readonly [MESSAGE]: true;
}

export function message(english: string): Message {
  return english as unknown as Message;
}

export function textOf(of: Message, values?: Values): string {
  return text(of as unknown as string, values);
}

/** The choices of a table, with the labels to show. */
export function labelled<Value extends string>(choices: readonly { readonly value: Value; readonly label: Message }[]) {
  return choices.map(({ value, label }) => ({ value, label: textOf(label) }));
}

const plurals = perLocale((locale) => new Intl.PluralRules(locale));
const numbers = perLocale((locale) => new Intl.NumberFormat(locale));

/** A text with a count, which fills the placeholder `{count}`. The catalogue lists it under its second form. */
export function counted(count: number, one: string, other: string, values?: Values): string {
  const found = catalogue[other];
  const [first, second] = typeof found === 'object' ? found : [one, other];
  return filled(plurals().select(count) === 'one' ? first : second, { count: numbers().format(count), ...values });
}

/** The text with its placeholders filled in. */
export function filled(form: string, values: Readonly<Record<string, unknown>> | undefined): string {
  return values === undefined ? form : form.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
