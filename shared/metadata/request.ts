import { characterCount, type Issue, isStorable, issueAt, UNSTORABLE_CHARACTERS } from '../base/issue.js';
import { ITEM_ID_CHARACTERS_MAX } from '../base/limits.js';
import { encodeForUrl, splitAtId } from '../resolve/placeholders.js';
import type { MetadataConfiguration } from './configuration.js';

/** What all calls for one resource type share. */
export interface CompiledRequest {
  /** The URL's texts between the ids. */
  readonly url: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
}

export interface RequestContext {
  /** Key of the resource type. */
  readonly type: string;
  /** SERVICE_NAME. */
  readonly service_name: string;
  /** The credential in the clear; null if the configuration has none. */
  readonly credential: string | null;
}

function authHeaders(configuration: MetadataConfiguration, credential: string | null): Record<string, string> {
  const { type, header_name } = configuration.auth;
  if (credential === null || type === 'none') return {};
  return type === 'bearer' ? { authorization: `Bearer ${credential}` } : { [header_name as string]: credential };
}

/** The service's own headers come last, so that a configuration stored under earlier rules cannot replace them. */
export function compileRequest(configuration: MetadataConfiguration, context: RequestContext): CompiledRequest {
  return {
    url: splitAtId(configuration.url_template, context.type),
    headers: {
      ...configuration.headers,
      ...authHeaders(configuration, context.credential),
      accept: 'application/json',
      'user-agent': `${context.service_name}-Metadata/1`,
    },
    timeout_ms: configuration.timeout_ms,
  };
}

/**
 * Returns the URL of the call for one item. It contains no credential and may be shown as `request_url`. The id is
 * percent-encoded and stays within the path segment or query value that it is in.
 */
export function requestUrl({ url }: CompiledRequest, id: string): string {
  return url.join(encodeForUrl(id));
}

/** Returns what is wrong with an id that a person gave for a test call, where no template's id format applies. */
export function itemIdIssues(id: string, pointer: string): Issue[] {
  if (id === '') return [issueAt(pointer, 'required', 'An id must have at least one character.')];
  if (characterCount(id) > ITEM_ID_CHARACTERS_MAX)
    return [issueAt(pointer, 'too_long', `An id must have at most ${ITEM_ID_CHARACTERS_MAX} characters.`)];
  if (!isStorable(id)) return [issueAt(pointer, 'control_character', `An id must not contain ${UNSTORABLE_CHARACTERS}.`)];
  if (id === '.' || id === '..') return [issueAt(pointer, 'dot_segment', `"${id}" would lead to another path of the API.`)];
  return [];
}
