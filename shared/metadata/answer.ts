import { parseWithDigits } from '../base/exact-numbers.js';
import { METADATA_ANSWER_BYTES_MAX, METADATA_VALUE_CHARACTERS_READ } from '../base/limits.js';
import type { Blot } from '../secrets/blot.js';
import {
  type ContentField,
  METADATA_FIELDS,
  type MetadataConfiguration,
  type MetadataField,
  type StatusMeaning,
  URL_FIELDS,
} from './configuration.js';
import { type FieldPath, parseFieldPath, valueAt } from './field-path.js';
import { type FieldNote, fieldText } from './field-text.js';

/** The result of a call, as the HTTP client reports it. Redirects are answers like any other. */
export type ApiReply =
  /** `truncated`: the body was longer than may be read, and `body` is only a part of it. */
  | { readonly kind: 'answered'; readonly status: number; readonly body: Uint8Array; readonly truncated: boolean }
  /** `status` is null if not even the head arrived. */
  | { readonly kind: 'failed'; readonly status: number | null; readonly error: string };

export type AnswerReason =
  | 'missing_required_field'
  | 'not_json'
  | 'not_an_object'
  | 'too_large'
  | 'http_status'
  | 'timeout'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'blocked_address'
  | 'redirect';

/** The seven mapped fields; null if the answer has no usable value and the configuration no default. */
export type Metadata = { readonly [Field in MetadataField]: string | null };

/** All seven fields, in the one order that the engine's codec knows. */
export function metadataOf(textOf: (field: MetadataField) => string | null): Metadata {
  const metadata: { [Field in MetadataField]?: string | null } = {};
  for (const field of METADATA_FIELDS) metadata[field] = textOf(field);
  return metadata as Metadata;
}

/** The result of a call to a metadata API. */
export interface Answer {
  readonly outcome: 'ok' | 'missing' | 'invalid' | 'error';
  /** Set for `invalid` and `error`. */
  readonly reason: AnswerReason | null;
  /** The HTTP status; null if there was none. */
  readonly status: number | null;
  /** Set if the answer was a JSON object, even if it lacks a required field. */
  readonly metadata: Metadata | null;
  /** What `resource_status` means; `published` if nothing says otherwise. */
  readonly meaning: StatusMeaning;
  /** About values that were used, but not as they came. */
  readonly warnings: readonly FieldNote[];
  /** About values that were not used. */
  readonly issues: readonly FieldNote[];
}

/** A configuration with its paths parsed: once per configuration, not per answer. */
export interface CompiledMapping {
  readonly configuration: MetadataConfiguration;
  readonly paths: ReadonlyMap<MetadataField, FieldPath>;
  readonly meanings: ReadonlyMap<string, StatusMeaning>;
  /** Removes the credential from what the API answers, because an API may repeat its request. */
  readonly blot: Blot;
}

export function compileMapping(configuration: MetadataConfiguration, blot: Blot): CompiledMapping {
  const paths = new Map<MetadataField, FieldPath>();
  for (const field of METADATA_FIELDS) {
    const path = parseFieldPath(configuration.field_mapping[field] ?? '');
    if (path !== null) paths.set(field, path);
  }
  const meanings = new Map<string, StatusMeaning>();
  for (const [meaning, values] of Object.entries(configuration.status_values))
    for (const value of values) meanings.set(value, meaning as StatusMeaning);
  return { configuration, paths, meanings, blot };
}

/** Words of the HTTP client that are reasons of the contract. A broken connection, or an answer that is not HTTP, is `connect`. */
const FAILURES: readonly AnswerReason[] = ['timeout', 'dns', 'connect', 'tls', 'blocked_address'];

function withoutMetadata(outcome: Answer['outcome'], reason: AnswerReason | null, status: number | null): Answer {
  return { outcome, reason, status, metadata: null, meaning: 'published', warnings: [], issues: [] };
}

/** Returns the value of a JSON text, or undefined if the bytes are not JSON in UTF-8. JSON itself has no undefined. */
function parseJson(body: Uint8Array): unknown {
  try {
    return parseWithDigits(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    // The decoder throws a TypeError for bytes that are not UTF-8, the parser a SyntaxError.
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function readStatus(text: string | null, mapping: CompiledMapping): { readonly meaning: StatusMeaning; readonly warnings: FieldNote[] } {
  const meaning = text === null ? 'published' : mapping.meanings.get(text);
  if (meaning !== undefined) return { meaning, warnings: [] };
  const detail = `"${text}" is in no list of status_values; it counts as published.`;
  return { meaning: 'published', warnings: [{ field: 'resource_status', code: 'unknown_status', detail }] };
}

/** Returns a value without the credential. Of a long text, more is read than any field holds. */
function withoutCredential(value: unknown, blot: Blot): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const text = String(value);
  return text.length > METADATA_VALUE_CHARACTERS_READ ? blot(text.slice(0, METADATA_VALUE_CHARACTERS_READ), 'cut') : blot(text);
}

/** The fields whose URL is listed, with what says so. A card neither leads to such a URL nor shows an image from there. */
function listedFields(texts: Partial<Metadata>, listed: ReadonlySet<string>): readonly FieldNote[] {
  const fields = URL_FIELDS.filter((field) => listed.has(texts[field] ?? ''));
  return fields.map((field) => ({ field, code: 'url_blocked', detail: 'The URL, or its host, is on the block list.' }));
}

function readObject(mapping: CompiledMapping, status: number, root: object, listed: ReadonlySet<string>): Answer {
  const { configuration, paths, blot } = mapping;
  const warnings: FieldNote[] = [];
  const issues: FieldNote[] = [];
  const found: { [Field in MetadataField]?: string } = {};
  for (const [field, path] of paths) {
    const read = fieldText(field, withoutCredential(valueAt(root, path), blot), configuration.allowed_image_hosts);
    if (read.text !== null) found[field] = read.text;
    if (read.note !== null) (read.text === null ? issues : warnings).push(read.note);
  }
  const field_defaults = { ...configuration.field_defaults };
  const [listedHere, listedDefaults] = [listedFields(found, listed), listedFields(field_defaults, listed)];
  for (const { field } of listedHere) delete found[field];
  for (const { field } of listedDefaults) delete field_defaults[field as ContentField];
  issues.push(
    ...listedHere,
    ...listedDefaults.filter(({ field }) => found[field] === undefined && !listedHere.some((each) => each.field === field)),
  );
  const missing = configuration.required_fields.filter((field) => (found[field] ?? field_defaults[field]) === undefined);
  for (const field of missing)
    issues.push({
      field,
      code: 'missing_required_field',
      detail: `The answer has no usable ${field}, which is required and has no default.`,
    });
  const { meaning, warnings: statusWarnings } = readStatus(found.resource_status ?? null, mapping);
  const metadata = metadataOf((field) => found[field] ?? (field === 'resource_status' ? null : field_defaults[field]) ?? null);
  return {
    outcome: missing.length === 0 ? 'ok' : 'invalid',
    reason: missing.length === 0 ? null : 'missing_required_field',
    status,
    metadata,
    meaning,
    warnings: [...warnings, ...statusWarnings],
    issues,
  };
}

/**
 * Returns what the reply says about the item. The status is checked first: the body of a 404 or of a failure is not
 * read, however large, and need not have an end. A required field that the answer lacks may have a default. URLs that
 * are `listed`, on the block list, count as unusable, in the answer and among the defaults.
 */
export function readReply(mapping: CompiledMapping, reply: ApiReply, listed: ReadonlySet<string> = NONE): Answer {
  if (reply.status !== null && (reply.status < 200 || reply.status > 299)) return answerOfStatus(reply.status);
  if (reply.kind === 'failed') return withoutMetadata('error', FAILURES.find((reason) => reason === reply.error) ?? 'connect', null);
  const { status, body, truncated } = reply;
  if (truncated || body.length > METADATA_ANSWER_BYTES_MAX) return withoutMetadata('invalid', 'too_large', status);
  const root = parseJson(body);
  if (root === undefined) return withoutMetadata('invalid', 'not_json', status);
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return withoutMetadata('invalid', 'not_an_object', status);
  return readObject(mapping, status, root, listed);
}

/** What a status that is no success says, whatever the body is. */
function answerOfStatus(status: number): Answer {
  if (status === 404 || status === 410) return withoutMetadata('missing', null, status);
  return withoutMetadata('error', status >= 300 && status < 400 ? 'redirect' : 'http_status', status);
}

const NONE: ReadonlySet<string> = new Set();
