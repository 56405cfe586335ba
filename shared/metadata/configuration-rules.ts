import { invariant } from '../base/invariant.js';
import {
  accepted,
  type Checked,
  type Issue,
  type IssueCode,
  isObject,
  isStorable,
  issueAt,
  pointerTo,
  refused,
  UNSTORABLE_CHARACTERS,
  unknownMembers,
} from '../base/issue.js';
import { IMAGE_HOSTS_MAX, STATUS_VALUE_CHARACTERS_MAX, STATUS_VALUES_MAX } from '../base/limits.js';
import { parseUrl } from '../base/parse-url.js';
import { judgeUrl, URL_REFUSAL_DETAILS, type UrlRefusal } from '../net/public-host.js';
import { storedRedirect, urlTemplateIssues } from '../resolve/destination-rules.js';
import { storedDestination } from '../resolve/stored-destination.js';
import { type AuthChange, type CredentialChange, checkAuth, credentialHeader, type StoredConfiguration } from './auth-rules.js';
import {
  CONTENT_FIELDS,
  type ContentField,
  METADATA_FIELDS,
  type MetadataConfiguration,
  NUMBER_BOUNDS,
  NUMBER_FIELDS,
  type NumberField,
  STATUS_MEANINGS,
  type StatusMeaning,
  URL_FIELDS,
} from './configuration.js';
import { fieldPathIssues } from './field-path.js';
import { textOfField } from './field-text.js';
import { headersIssues } from './header-rules.js';

/** A configuration that was accepted, and what happens to the stored credential. */
export interface CheckedConfiguration {
  readonly configuration: MetadataConfiguration;
  readonly credential: CredentialChange;
}

export interface ConfigurationContext {
  /** OUTBOUND_ALLOW: origins that need be neither https nor public. */
  readonly allow: readonly string[];
  /** The configuration that is stored now; null at the first PUT. */
  readonly stored: StoredConfiguration | null;
}

/** The values if a configuration lists none: each meaning stands for itself. */
const DEFAULT_STATUS_VALUES: MetadataConfiguration['status_values'] = {
  published: ['published'],
  unpublished: ['unpublished'],
  deleted: ['deleted'],
};

const MEMBERS = [
  'status',
  'url_template',
  'auth',
  'headers',
  ...NUMBER_FIELDS,
  'field_mapping',
  'field_defaults',
  'required_fields',
  'status_values',
  'allowed_image_hosts',
];

type Input = Readonly<Record<string, unknown>>;

function urlRefusalCode(reason: UrlRefusal): IssueCode {
  if (reason === 'malformed' || reason === 'credentials' || reason === 'rewritten') return 'invalid_url';
  return reason === 'not_https' ? 'scheme_not_allowed' : 'host_not_public';
}

/** Placeholders must be in the path or query, because a fragment is never sent. */
function urlIssues(value: unknown, allow: readonly string[]): Issue[] {
  const pointer = '/url_template';
  if (value === undefined) return [issueAt(pointer, 'required', 'url_template is missing.')];
  if (typeof value !== 'string') return [issueAt(pointer, 'wrong_type', 'url_template must be a string.')];
  const issues = urlTemplateIssues(value, pointer);
  if (issues.some((issue) => issue.code === 'misplaced_placeholder')) return issues;
  const judged = judgeUrl(value, allow);
  if (judged.verdict === 'refused')
    issues.push(issueAt(pointer, urlRefusalCode(judged.reason), `The URL ${URL_REFUSAL_DETAILS[judged.reason]}.`));
  if (value.includes('#')) issues.push(issueAt(pointer, 'invalid_format', 'A fragment is never sent to a server: remove it.'));
  if (!value.includes('{id}')) issues.push(issueAt(pointer, 'missing_placeholder', 'The URL must contain {id} in the path or query.'));
  if (issues.length > 0) return issues;
  const stored = storedRedirect(value, 'web', null);
  return stored.kind === 'ok' ? [] : [issueAt(pointer, stored.code, stored.detail)];
}

/** Returns the text as the URL standard writes it, with IDN and paths in ASCII, as all URLs are stored. The text has passed `urlIssues`. */
function storedUrl(template: string): string {
  const stored = storedRedirect(template, 'web', null);
  invariant(stored.kind === 'ok', 'a URL template was accepted that cannot be stored');
  return stored.url;
}

function numberIssues(input: Input): Issue[] {
  return NUMBER_FIELDS.flatMap((field) => {
    const value = input[field];
    const { min, max } = NUMBER_BOUNDS[field];
    const pointer = pointerTo('', field);
    if (value === undefined) return [];
    if (typeof value !== 'number' || !Number.isInteger(value)) return [issueAt(pointer, 'wrong_type', `${field} must be a whole number.`)];
    if (value < min) return [issueAt(pointer, 'too_small', `${field} must be at least ${min}.`)];
    return value > max ? [issueAt(pointer, 'too_large', `${field} must be at most ${max}.`)] : [];
  });
}

/** Checks an object whose members are texts of known names, each with its own rule. */
function textsIssues(
  value: unknown,
  pointer: string,
  known: readonly string[],
  rule: (member: string, text: string, at: string) => Issue[],
): Issue[] {
  if (!isObject(value)) return [issueAt(pointer, 'wrong_type', `${pointer.slice(1)} must be an object.`)];
  const texts = Object.entries(value).filter(([member]) => known.includes(member));
  return [
    ...unknownMembers(value, known, pointer),
    ...texts.flatMap(([member, text]) => {
      const at = pointerTo(pointer, member);
      if (typeof text !== 'string') return [issueAt(at, 'wrong_type', `${member} must be a string.`)];
      // A default may have several lines.
      if (isStorable(text.replace(/[\t\n\r]/g, ' '))) return rule(member, text, at);
      return [issueAt(at, 'control_character', `${member} must not contain ${UNSTORABLE_CHARACTERS}.`)];
    }),
  ];
}

function mappingIssues(value: unknown): Issue[] {
  const pointer = '/field_mapping';
  if (value === undefined) return [issueAt(pointer, 'required', 'field_mapping is missing.')];
  return textsIssues(value, pointer, METADATA_FIELDS, (_, text, at) => fieldPathIssues(text, at));
}

/**
 * A default has to pass the rules for an answer's value. One that would be shortened is refused, because its owner can
 * shorten it better.
 */
function defaultsIssues(value: unknown, imageHosts: readonly string[]): Issue[] {
  if (value === undefined) return [];
  return textsIssues(value, '/field_defaults', CONTENT_FIELDS, (member, text, at) => {
    const written = (URL_FIELDS as readonly string[]).includes(member) ? storedDestination(text, 'web', null) : null;
    if (written?.kind === 'refused' && text.trim() !== '') return [issueAt(at, written.code, written.detail)];
    const read = textOfField(member as ContentField, text, imageHosts);
    if (read.text === null && read.note === null)
      return [issueAt(at, 'invalid_value', 'A default must not be empty: leave the member out instead.')];
    if (read.note === null) return [];
    if (read.note.code === 'shortened' || read.note.code === 'too_long') return [issueAt(at, 'too_long', read.note.detail)];
    const code =
      read.note.code === 'image_host_not_allowed' ? 'host_not_allowed' : read.note.code === 'not_https' ? 'scheme_not_allowed' : null;
    return [issueAt(at, code ?? (member === 'deep_link_path' ? 'invalid_format' : 'invalid_url'), read.note.detail)];
  });
}

/** Checks a list of texts without repeats, each with its own rule. */
function listIssues(value: unknown, pointer: string, itemsMax: number, rule: (item: string, at: string) => Issue[]): Issue[] {
  if (!Array.isArray(value)) return [issueAt(pointer, 'wrong_type', `${pointer.slice(1)} must be a list.`)];
  const tooMany = value.length > itemsMax ? [issueAt(pointer, 'too_many', `The list must have at most ${itemsMax} items.`)] : [];
  // What follows the most that a list may have is not looked at, because there may be a hundred thousand items.
  const issues = value.slice(0, itemsMax).flatMap((item: unknown, index) => {
    const at = pointerTo(pointer, index);
    if (typeof item !== 'string') return [issueAt(at, 'wrong_type', 'An item must be a string.')];
    if (value.indexOf(item) !== index) return [issueAt(at, 'duplicate', `"${item}" appears twice.`)];
    return rule(item, at);
  });
  return [...tooMany, ...issues];
}

/** A field that is neither mapped nor has a default is accepted too, although every answer then lacks it. */
function requiredIssues(value: unknown): Issue[] {
  if (value === undefined) return [];
  return listIssues(value, '/required_fields', CONTENT_FIELDS.length, (item, at) =>
    (CONTENT_FIELDS as readonly string[]).includes(item)
      ? []
      : [issueAt(at, 'invalid_value', `A required field must be one of ${CONTENT_FIELDS.join(', ')}.`)],
  );
}

function statusValuesIssues(value: unknown): Issue[] {
  const pointer = '/status_values';
  if (value === undefined) return [];
  if (!isObject(value)) return [issueAt(pointer, 'wrong_type', 'status_values must be an object.')];
  const issues = unknownMembers(value, STATUS_MEANINGS, pointer);
  const meanings = new Map<string, StatusMeaning>();
  for (const meaning of STATUS_MEANINGS) {
    if (value[meaning] === undefined) continue;
    const found = listIssues(value[meaning], pointerTo(pointer, meaning), STATUS_VALUES_MAX, (item, at) => {
      const other = meanings.get(item);
      meanings.set(item, other ?? meaning);
      if (other !== undefined) return [issueAt(at, 'duplicate', `"${item}" already means ${other}.`)];
      const read = textOfField('resource_status', item, []);
      if (read.text === item) return [];
      return [
        issueAt(
          at,
          'invalid_format',
          `A value must have 1 to ${STATUS_VALUE_CHARACTERS_MAX} characters, without white space at either end.`,
        ),
      ];
    });
    issues.push(...found);
  }
  return issues;
}

const HOST_LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Returns the host as `URL.hostname` writes it; null if the text is not a host name. */
function hostName(text: string): string | null {
  const hostname = /[\s/?#@\\:]/.test(text) ? undefined : parseUrl(`https://${text}/`)?.hostname;
  if (hostname === undefined) return null;
  return hostname.split('.').every((label) => HOST_LABEL.test(label)) ? hostname : null;
}

function imageHostsIssues(value: unknown): Issue[] {
  if (value === undefined) return [];
  return listIssues(value, '/allowed_image_hosts', IMAGE_HOSTS_MAX, (item, at) =>
    hostName(item) === null
      ? [issueAt(at, 'invalid_format', 'A host must be a name such as images.example.com, without scheme or port.')]
      : [],
  );
}

function imageHosts(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, IMAGE_HOSTS_MAX).flatMap((item: unknown) => (typeof item === 'string' ? (hostName(item) ?? []) : []));
}

function statusIssues(value: unknown): Issue[] {
  if (value === undefined || value === 'active' || value === 'disabled') return [];
  return [issueAt('/status', 'invalid_value', 'status must be "active" or "disabled".')];
}

function headerConflict(headers: unknown, name: string | undefined): Issue[] {
  if (name === undefined || !isObject(headers)) return [];
  const twin = Object.keys(headers).find((each) => each.toLowerCase() === name);
  return twin === undefined ? [] : [issueAt(pointerTo('/headers', twin), 'duplicate', `auth already sends "${twin}".`)];
}

function withDefaults(input: Input): MetadataConfiguration['status_values'] {
  if (input.status_values === undefined) return DEFAULT_STATUS_VALUES;
  const { published = [], unpublished = [], deleted = [] } = input.status_values as { [Meaning in StatusMeaning]?: string[] };
  return { published, unpublished, deleted };
}

/** Defaults are read as an answer's values are, so that a card shows the same text whichever of the two it has. */
function storedDefaults(input: Input): MetadataConfiguration['field_defaults'] {
  const given = (input.field_defaults ?? {}) as { readonly [Field in ContentField]?: string };
  const hosts = imageHosts(input.allowed_image_hosts);
  const texts = Object.entries(given).map(([field, text]) => [field, textOfField(field as ContentField, text, hosts).text]);
  return Object.fromEntries(texts);
}

function build(input: Input, auth: AuthChange, stored: StoredConfiguration | null): MetadataConfiguration {
  const numbers = Object.fromEntries(NUMBER_FIELDS.map((field) => [field, input[field] ?? NUMBER_BOUNDS[field].fallback]));
  return {
    status: (input.status as MetadataConfiguration['status'] | undefined) ?? stored?.status ?? 'active',
    url_template: storedUrl(input.url_template as string),
    auth: auth.auth,
    headers: (input.headers as MetadataConfiguration['headers'] | undefined) ?? {},
    ...(numbers as Record<NumberField, number>),
    field_mapping: input.field_mapping as MetadataConfiguration['field_mapping'],
    field_defaults: storedDefaults(input),
    required_fields: (input.required_fields as ContentField[] | undefined) ?? [],
    status_values: withDefaults(input),
    allowed_image_hosts: imageHosts(input.allowed_image_hosts),
  };
}

/**
 * Returns the body of `PUT .../metadata-api` as a configuration with defaults filled in, or every fault of every field.
 * The host of `url_template` is judged by its name; whether it resolves to public addresses is checked when the URL is
 * stored and again at every connection.
 */
export function checkConfiguration(input: unknown, context: ConfigurationContext): Checked<CheckedConfiguration> {
  if (!isObject(input)) return refused([issueAt('', 'wrong_type', 'The body must be an object.')]);
  const auth = checkAuth(input.auth, { ...context, urlTemplate: input.url_template }, '/auth');
  const issues = [
    ...unknownMembers(input, MEMBERS, ''),
    ...statusIssues(input.status),
    ...urlIssues(input.url_template, context.allow),
    ...(auth.ok ? [] : auth.issues),
    ...(input.headers === undefined ? [] : headersIssues(input.headers, '/headers')),
    ...headerConflict(input.headers, credentialHeader(input.auth, auth, context.stored)),
    ...numberIssues(input),
    ...mappingIssues(input.field_mapping),
    ...defaultsIssues(input.field_defaults, imageHosts(input.allowed_image_hosts)),
    ...requiredIssues(input.required_fields),
    ...statusValuesIssues(input.status_values),
    ...imageHostsIssues(input.allowed_image_hosts),
  ];
  if (issues.length > 0 || !auth.ok) return refused(issues);
  return accepted({ configuration: build(input, auth.value, context.stored), credential: auth.value.credential });
}
