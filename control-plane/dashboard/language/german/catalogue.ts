/** Texts of a language by the English ones of the source. */
export type Catalogue = Readonly<Record<string, string | PluralForms>>;
/** For 1, and for other numbers: the forms that English and German have. */
export type PluralForms = readonly [one: string, other: string];
