/** What the fields of a form hold, by the JSON Pointer of the member each becomes. */
export type FieldValue = string | boolean | readonly string[];
export type FieldValues = Readonly<Record<string, FieldValue>>;
