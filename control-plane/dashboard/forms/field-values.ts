/** The values of a form's fields, keyed by the JSON Pointer of the member that each becomes. */
export type FieldValue = string | boolean | readonly string[];
export type FieldValues = Readonly<Record<string, FieldValue>>;
