import { METADATA_ANSWER_BYTES_MAX } from '../base/limits.js';
import { textExcerpt } from '../base/text-excerpt.js';
import type { BoundedRequest, RequestOutcome } from '../net/bounded-request.js';
import { compileBlot } from '../secrets/blot.js';
import { type Answer, type CompiledMapping, compileMapping, readReply } from './answer.js';
import { type MetadataConfiguration, URL_FIELDS } from './configuration.js';
import { type CompiledRequest, compileRequest, type RequestContext, requestUrl } from './request.js';

/** A resource type's metadata API, with everything prepared that does not depend on the item. Contains the credential in the clear. */
export interface CompiledMetadataApi {
  readonly request: CompiledRequest;
  readonly mapping: CompiledMapping;
}

/** The part of the HTTP client that a call needs. */
export interface RequestSender {
  request(request: BoundedRequest): Promise<RequestOutcome>;
}

/**
 * Returns the URLs that are on the operator's block list. Returns none if the list cannot be read, because a card is
 * shown all the same.
 */
export type ListedUrls = (urls: readonly string[]) => Promise<ReadonlySet<string>>;

/** One call and its result. */
export interface MetadataCall {
  /** Contains no credential. */
  readonly request_url: string;
  readonly latency_ms: number;
  readonly answer: Answer;
  /** Returns the beginning of the body for people to read, without the credential; null if there was no answer at all. */
  shownBody(bytesMax: number): string | null;
}

export function compileMetadataApi(configuration: MetadataConfiguration, context: RequestContext): CompiledMetadataApi {
  return { request: compileRequest(configuration, context), mapping: compileMapping(configuration, compileBlot(context.credential)) };
}

/** Asks the customer's API for one item. Whatever the API does is an answer. Nothing is cached or counted here. */
export async function callMetadataApi(
  api: CompiledMetadataApi,
  id: string,
  sender: RequestSender,
  listedUrls: ListedUrls,
): Promise<MetadataCall> {
  const { headers, timeout_ms } = api.request;
  const target = new URL(requestUrl(api.request, id));
  const outcome = await sender.request({
    method: 'GET',
    url: target,
    headers,
    timeoutMs: timeout_ms,
    readBytesMax: METADATA_ANSWER_BYTES_MAX,
    keptBytesMax: METADATA_ANSWER_BYTES_MAX,
  });
  const answer = readReply(api.mapping, outcome);
  const urls = urlsOf(answer, api.mapping.configuration);
  const listed = urls.length === 0 ? null : await listedUrls(urls);
  return {
    request_url: target.href,
    latency_ms: outcome.latencyMs,
    answer: listed === null || listed.size === 0 ? answer : readReply(api.mapping, outcome, listed),
    shownBody: (bytesMax) => (outcome.status === null ? null : api.mapping.blot(textExcerpt(outcome.body, bytesMax), 'cut')),
  };
}

/** The URLs of an answer and of the defaults that stand in for them. */
function urlsOf({ metadata }: Answer, { field_defaults }: MetadataConfiguration): readonly string[] {
  return metadata === null ? [] : URL_FIELDS.flatMap((field) => [metadata[field] ?? [], field_defaults[field] ?? []].flat());
}
