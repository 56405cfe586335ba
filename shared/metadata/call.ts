import { METADATA_ANSWER_BYTES_MAX } from '../base/limits.js';
import { textExcerpt } from '../base/text-excerpt.js';
import type { BoundedRequest, RequestOutcome } from '../net/bounded-request.js';
import { compileBlot } from '../secrets/blot.js';
import { type Answer, type CompiledMapping, compileMapping, metadataOf, readReply } from './answer.js';
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
  return {
    request_url: target.href,
    latency_ms: outcome.latencyMs,
    answer: await withoutListed(readReply(api.mapping, outcome), listedUrls),
    shownBody: (bytesMax) => (outcome.status === null ? null : api.mapping.blot(textExcerpt(outcome.body, bytesMax), 'cut')),
  };
}

/** Removes URLs that are on the block list: a card neither leads there nor shows an image from there. */
async function withoutListed(answer: Answer, listedUrls: ListedUrls): Promise<Answer> {
  const { metadata } = answer;
  if (metadata === null) return answer;
  const urls = URL_FIELDS.flatMap((field) => metadata[field] ?? []);
  const listed = urls.length === 0 ? null : await listedUrls(urls);
  const blocked = URL_FIELDS.filter((field) => listed?.has(metadata[field] ?? '') === true);
  if (blocked.length === 0) return answer;
  const issues = blocked.map((field) => ({ field, code: 'url_blocked', detail: 'The URL, or its host, is on the block list.' }) as const);
  return {
    ...answer,
    metadata: metadataOf((field) => (blocked.some((one) => one === field) ? null : metadata[field])),
    issues: [...answer.issues, ...issues],
  };
}
