import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TObject, TSchema } from 'typebox';
import { COUNTRIES } from '../../shared/base/countries.js';
import { parseInstant } from '../../shared/base/instant.js';
import { isStorable, pointerTo, UNSTORABLE_CHARACTERS } from '../../shared/base/issue.js';
import { parseUrl } from '../../shared/base/parse-url.js';
import type { FieldCode, FieldError, FieldPlace } from '../../shared/contract/schemas/problem-codes.js';
import { PATTERN_WORDING } from './pattern-wording.js';
import { fieldError } from './problems.js';

const ajv = new Ajv2020({
  allErrors: true,
  // Errors include the value that is wrong.
  verbose: true,
  // The schemas are our own, and a test checks that they are valid JSON Schema.
  validateSchema: false,
  removeAdditional: false,
  coerceTypes: false,
  useDefaults: false,
  strict: true,
  strictTypes: false,
  formats: {
    'date-time': (text: string) => parseInstant(text) !== null,
    date: /^\d{4}-\d\d-\d\d$/,
    uri: (text: string) => parseUrl(text) !== null,
    country: (text: string) => COUNTRIES.has(text),
    'plain-text': isStorable,
    'plain-lines': (text: string) => isStorable(text.replace(/[\t\n\r]/g, ' ')),
  },
});

/** Maximum number of fields that a response names. A body of a megabyte can have a hundred thousand wrong ones. */
export const FIELD_ERRORS_MAX = 1_000;

export type Validator = (value: unknown) => readonly FieldError[];

/**
 * Returns a function that reports every offending field of a value, with its pointer. The schema is compiled when the first value is
 * validated: compiling all schemas of the API takes a quarter of a second, which would delay every start of a process, thread or command.
 */
export function compileValidator(schema: TSchema, place: FieldPlace): Validator {
  let compiled: ValidateFunction | null = null;
  return (value) => {
    compiled ??= ajv.compile(schema);
    return compiled(value) ? [] : fieldErrors(compiled.errors ?? [], place);
  };
}

function fieldErrors(errors: readonly ErrorObject[], place: FieldPlace): FieldError[] {
  const found = new Map<string, FieldError>();
  for (const error of errors) {
    if (found.size >= FIELD_ERRORS_MAX) break;
    const converted = fieldErrorOf(error, place);
    // Several rules may fail at a field for the same reason. Only the first is reported.
    if (!found.has(converted.pointer)) found.set(converted.pointer, converted);
  }
  return [...found.values()];
}

interface Wording {
  readonly code: FieldCode;
  readonly detail: (params: Record<string, unknown>) => string;
}

const TYPES: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'a boolean',
  null: 'null',
};

const WORDING: Readonly<Record<string, Wording>> = {
  type: {
    code: 'wrong_type',
    detail: ({ type }) =>
      `must be ${[type]
        .flat()
        .map((name) => TYPES[String(name)])
        .join(' or ')}`,
  },
  minLength: { code: 'too_short', detail: ({ limit }) => `must have at least ${limit} character${limit === 1 ? '' : 's'}` },
  maxLength: { code: 'too_long', detail: ({ limit }) => `must have at most ${limit} characters` },
  minimum: { code: 'too_small', detail: ({ limit }) => `must be at least ${limit}` },
  maximum: { code: 'too_large', detail: ({ limit }) => `must be at most ${limit}` },
  minItems: { code: 'too_few', detail: ({ limit }) => `must have at least ${limit} item${limit === 1 ? '' : 's'}` },
  maxItems: { code: 'too_many', detail: ({ limit }) => `must have at most ${limit} items` },
  uniqueItems: { code: 'duplicate', detail: () => 'must not contain an item twice' },
  enum: { code: 'invalid_value', detail: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).map(String).join(', ')}` },
  const: { code: 'invalid_value', detail: ({ allowedValue }) => `must be ${allowedValue}` },
  pattern: { code: 'invalid_format', detail: ({ pattern }) => PATTERN_WORDING[String(pattern)] ?? 'is not valid' },
};

const FORMATS: Readonly<Record<string, Wording>> = {
  'date-time': { code: 'invalid_format', detail: () => 'must be an ISO 8601 date and time with an offset, such as 2030-01-31T12:00:00Z' },
  date: { code: 'invalid_format', detail: () => 'must be a date such as 2030-01-31' },
  uri: { code: 'invalid_format', detail: () => 'must be a URL such as https://www.example.com/page' },
  country: { code: 'invalid_value', detail: () => 'must be a country code of ISO 3166-1, such as DE, or GB for the United Kingdom' },
  'plain-text': { code: 'control_character', detail: () => `must not contain ${UNSTORABLE_CHARACTERS}` },
  'plain-lines': { code: 'control_character', detail: () => `must not contain ${UNSTORABLE_CHARACTERS}, except tabs and line breaks` },
};

function fieldErrorOf(error: ErrorObject, place: FieldPlace): FieldError {
  const { keyword, params, instancePath, data } = error;
  // An error in the name of a member is reported for that member, and again for the object. Only the first says what is wrong.
  const name: string | undefined = error.propertyName ?? params.propertyName;
  if (name !== undefined) return wordedError(error, place, pointerTo(instancePath, name), 'the name ');
  // NaN stands for an integer that a double cannot hold (`markInexactIntegers`). This is reported whatever type the schema requires.
  if (keyword === 'type' && Number.isNaN(data))
    return fieldError(place, instancePath, 'number_not_exact', 'is too large to be represented exactly: send it as a text');
  if (keyword === 'required') return fieldError(place, pointerTo(instancePath, params.missingProperty), 'required', 'is required');
  if (keyword === 'additionalProperties')
    return fieldError(place, pointerTo(instancePath, params.additionalProperty), 'unknown_field', 'is not a known field');
  return wordedError(error, place, instancePath);
}

function wordedError({ keyword, params }: ErrorObject, place: FieldPlace, pointer: string, subject = ''): FieldError {
  const wording = keyword === 'format' ? FORMATS[params.format] : WORDING[keyword];
  return fieldError(place, pointer, wording?.code ?? 'invalid_value', subject + (wording?.detail(params) ?? 'is not valid'));
}

/** An unencoded `+` in a query is decoded as a space, and no instant ends in a space and an offset. */
const SPACE_FOR_PLUS = / (?=\d\d(?::?\d\d)?$)/;

/** Converts query texts to the types of the schema. A text that does not fit stays a text, which the schema then refuses. */
export function coerceQuery(schema: TObject, query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(query).map(([name, value]) => {
    const field = Object.hasOwn(schema.properties, name) ? (schema.properties[name] as { type?: unknown; format?: unknown }) : {};
    if (field.type === 'integer' && typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return [name, Number(value)];
    if (field.format === 'date-time' && typeof value === 'string') return [name, value.replace(SPACE_FOR_PLUS, '+')];
    if (field.type === 'boolean' && (value === 'true' || value === 'false')) return [name, value === 'true'];
    return [name, value];
  });
  return Object.fromEntries(entries);
}
