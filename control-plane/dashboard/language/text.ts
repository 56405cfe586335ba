import type { Catalogue } from './german/catalogue.js';
import { perLocale } from './shown.js';

/**
 * The texts of the page stand in the source in English, where they are shown. Another language is a catalogue that has its own text for
 * each: `text('Delete {name}?', { name })` looks up the whole sentence with its places, and fills them afterwards.
 */
let catalogue: Catalogue = {};

export function setTexts(texts: Catalogue): void {
  catalogue = texts;
}

type Values = Readonly<Record<string, string | number>>;

/** A text in the language that is shown. It is a literal, so that a test can compare source and catalogues. */
export function text(english: string, values?: Values): string {
  const found = catalogue[english];
  return filled(typeof found === 'string' ? found : english, values);
}

/** The words for a code of the API in another language; undefined in English, whose words come with the code or are the code itself. */
export function wordsOfCode(kind: 'problem' | 'field' | 'status', code: string): string | undefined {
  return catalogue[`${kind}.${code}`] as string | undefined;
}

declare const MESSAGE: unique symbol;
/** A text of a table that is made before the language is known, or outlives it: `textOf` gives what is to be shown. */
export interface Message {
  readonly [MESSAGE]: true;
}

export function message(english: string): Message {
  return english as unknown as Message;
}

export function textOf(of: Message, values?: Values): string {
  return text(of as unknown as string, values);
}

/** Choices of a table with the labels that are to be shown. */
export function labelled<Value extends string>(choices: readonly { readonly value: Value; readonly label: Message }[]) {
  return choices.map(({ value, label }) => ({ value, label: textOf(label) }));
}

const plurals = perLocale((locale) => new Intl.PluralRules(locale));
const numbers = perLocale((locale) => new Intl.NumberFormat(locale));

/** A text about a number of things, which takes the place `{count}`. The catalogue has it by its second form. */
export function counted(count: number, one: string, other: string, values?: Values): string {
  const found = catalogue[other];
  const [first, second] = typeof found === 'object' ? found : [one, other];
  return filled(plurals().select(count) === 'one' ? first : second, { count: numbers().format(count), ...values });
}

/** The text with its places filled. */
export function filled(form: string, values: Readonly<Record<string, unknown>> | undefined): string {
  return values === undefined ? form : form.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
