/** The texts of a language, keyed by the English texts of the source. */
export type Catalogue = Readonly<Record<string, string | PluralForms>>;
/** The text for 1, and the text for other numbers. English and German have these two forms. */
export type PluralForms = readonly [one: string, other: string];
