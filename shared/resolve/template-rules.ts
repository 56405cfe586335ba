import {
  accepted,
  type Checked,
  characterCount,
  type Issue,
  isObject,
  isStorable,
  issueAt,
  pointerTo,
  refused,
  UNSTORABLE_CHARACTERS,
  unknownMembers,
} from '../base/issue.js';
import { DEEP_LINK_PATH_CHARACTERS_MAX, RENDERED_DATA_BYTES_MAX, RENDERED_URL_CHARACTERS_MAX } from '../base/limits.js';
import { type IdFormat, parseIdFormat } from '../records/id-format.js';
import { DESTINATION_SLOTS, type DestinationSlot, type Destinations, NO_DESTINATIONS } from '../records/records.js';
import { dataIssues, textsIn } from './data-rules.js';
import { checkRedirect } from './destination-rules.js';
import { longestIdInJson, longestIdInUrl } from './id-length.js';
import { type PathPattern, parsePattern } from './pattern.js';
import { placeholderIssues } from './placeholders.js';
import type { DataObject, TemplateContent } from './render.js';
import type { OwnSchemes } from './stored-destination.js';

/** The fields of a template that its owner writes, as they came in a request body. Absent `data` and `redirects` set nothing. */
export interface TemplateInput {
  readonly path_pattern: unknown;
  readonly id_format: unknown;
  readonly deep_link_path: unknown;
  readonly data?: unknown;
  readonly redirects?: unknown;
  readonly allow_param_passthrough?: unknown;
}

/** A template whose every field was accepted. */
export interface TemplateDefinition extends TemplateContent {
  readonly pattern: PathPattern;
  readonly id_format: IdFormat;
}

function checkPattern(value: unknown): Checked<PathPattern> {
  const pointer = '/path_pattern';
  if (value === undefined) return refused([issueAt(pointer, 'required', 'path_pattern is missing.')]);
  if (typeof value !== 'string') return refused([issueAt(pointer, 'wrong_type', 'path_pattern must be a string.')]);
  return parsePattern(value, pointer);
}

function checkIdFormat(value: unknown): Checked<IdFormat> {
  return value === undefined ? refused([issueAt('/id_format', 'required', 'id_format is missing.')]) : parseIdFormat(value);
}

function checkDeepLinkPath(value: unknown): Checked<string> {
  const pointer = '/deep_link_path';
  if (value === undefined) return refused([issueAt(pointer, 'required', 'deep_link_path is missing.')]);
  if (typeof value !== 'string') return refused([issueAt(pointer, 'wrong_type', 'deep_link_path must be a string.')]);
  const issues: Issue[] = [];
  if (!value.startsWith('/')) issues.push(issueAt(pointer, 'invalid_format', 'An in-app route must start with "/".'));
  if (characterCount(value) > DEEP_LINK_PATH_CHARACTERS_MAX)
    issues.push(issueAt(pointer, 'too_long', `An in-app route must have at most ${DEEP_LINK_PATH_CHARACTERS_MAX} characters.`));
  if (!isStorable(value)) issues.push(issueAt(pointer, 'control_character', `An in-app route must not contain ${UNSTORABLE_CHARACTERS}.`));
  issues.push(...placeholderIssues(value, pointer));
  return issues.length > 0 ? refused(issues) : accepted(value);
}

function checkData(value: unknown): Checked<DataObject | null> {
  if (value === undefined) return accepted(null);
  const issues = dataIssues(value, '/data');
  // An object that is no object or too large has this one issue, and may hold a megabyte of texts.
  if (issues.some(({ pointer }) => pointer === '/data')) return refused(issues);
  issues.push(...textsIn(value, '/data').flatMap(({ text, pointer }) => placeholderIssues(text, pointer)));
  return issues.length > 0 ? refused(issues) : accepted(value as DataObject);
}

/** The destinations that were accepted, and what is wrong with the others. */
function checkRedirects(value: unknown, ownSchemes: OwnSchemes): { readonly redirects: Destinations; readonly issues: readonly Issue[] } {
  const pointer = '/redirects';
  if (value === undefined || value === null) return { redirects: NO_DESTINATIONS, issues: [] };
  if (!isObject(value))
    return { redirects: NO_DESTINATIONS, issues: [issueAt(pointer, 'wrong_type', 'redirects must be an object or null.')] };
  const issues = unknownMembers(value, DESTINATION_SLOTS, pointer);
  const redirects: { [Slot in DestinationSlot]: string | null } = { ...NO_DESTINATIONS };
  for (const slot of DESTINATION_SLOTS) {
    const url = value[slot];
    if (url === undefined || url === null) continue;
    if (typeof url === 'string') {
      const checked = checkRedirect(url, slot, ownSchemes, pointerTo(pointer, slot));
      if (checked.ok) redirects[slot] = checked.value;
      else issues.push(...checked.issues);
    } else issues.push(issueAt(pointerTo(pointer, slot), 'wrong_type', 'A destination must be a string or null.'));
  }
  return { redirects, issues };
}

function checkPassthrough(value: unknown): Checked<boolean> {
  if (value === undefined) return accepted(false);
  if (typeof value === 'boolean') return accepted(value);
  return refused([issueAt('/allow_param_passthrough', 'wrong_type', 'allow_param_passthrough must be true or false.')]);
}

function countOf(text: string, placeholder: string): number {
  return text.split(placeholder).length - 1;
}

/** The fields of a template into which ids are filled. One that was refused is null. */
interface RenderedFields {
  readonly deep_link_path: string | null;
  readonly data: DataObject | null;
  readonly redirects: Destinations;
}

/**
 * A short text with many placeholders and a long id make a large text. It is bounded here, with the longest id of the
 * format, so that no visitor can request an answer of a megabyte.
 */
function renderedIssues(fields: RenderedFields, idFormat: IdFormat, type: string): Issue[] {
  const issues: Issue[] = [];
  const inUrl = longestIdInUrl(idFormat);
  const inJson = longestIdInJson(idFormat);
  const lengthOf = (text: string, idLength: number) =>
    text.length + countOf(text, '{id}') * (idLength - '{id}'.length) + countOf(text, '{type}') * (type.length - '{type}'.length);
  const urls: [string, string | null][] = [
    ['/deep_link_path', fields.deep_link_path],
    ...DESTINATION_SLOTS.map((slot): [string, string | null] => [pointerTo('/redirects', slot), fields.redirects[slot]]),
  ];
  for (const [pointer, url] of urls)
    if (url !== null && lengthOf(url, inUrl) > RENDERED_URL_CHARACTERS_MAX)
      issues.push(
        issueAt(pointer, 'too_long', `With the longest id of id_format it has more than ${RENDERED_URL_CHARACTERS_MAX} characters.`),
      );
  const dataText = fields.data === null ? '' : JSON.stringify(fields.data);
  if (Buffer.byteLength(dataText) - dataText.length + lengthOf(dataText, inJson) > RENDERED_DATA_BYTES_MAX)
    issues.push(issueAt('/data', 'too_large', `With the longest id of id_format it has more than ${RENDERED_DATA_BYTES_MAX} bytes.`));
  return issues;
}

/**
 * Checks a whole template as its owner wrote it (for a change, the stored fields overlaid with the new ones). A refusal
 * contains every fault of every field. `type` is the key of its resource type.
 */
export function checkTemplate(input: TemplateInput, type: string, ownSchemes: OwnSchemes): Checked<TemplateDefinition> {
  const pattern = checkPattern(input.path_pattern);
  const id_format = checkIdFormat(input.id_format);
  const deep_link_path = checkDeepLinkPath(input.deep_link_path);
  const data = checkData(input.data);
  const { redirects, issues: redirectIssues } = checkRedirects(input.redirects, ownSchemes);
  const passthrough = checkPassthrough(input.allow_param_passthrough);
  const rendered = { deep_link_path: deep_link_path.ok ? deep_link_path.value : null, data: data.ok ? data.value : null, redirects };
  const issues = [
    ...[pattern, id_format, deep_link_path, data].flatMap((checked) => (checked.ok ? [] : checked.issues)),
    ...redirectIssues,
    ...(passthrough.ok ? [] : passthrough.issues),
    ...(id_format.ok ? renderedIssues(rendered, id_format.value, type) : []),
  ];
  if (issues.length > 0 || !pattern.ok || !id_format.ok || !deep_link_path.ok || !data.ok || !passthrough.ok) return refused(issues);
  return accepted({
    pattern: pattern.value,
    id_format: id_format.value,
    deep_link_path: deep_link_path.value,
    data: data.value,
    redirects,
    allow_param_passthrough: passthrough.value,
  });
}
