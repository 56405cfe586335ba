import type { BoundedRequest, RequestOutcome } from '../net/bounded-request.js';
import { type Answer, type CompiledMapping, compileMapping, readReply } from './answer.js';
import type { MetadataConfiguration } from './configuration.js';
import { buildRequest, type CompiledRequest, compileRequest, type RequestContext } from './request.js';

/** A resource type's metadata API, with everything done that does not depend on the item. Holds the credential in the clear. */
export interface CompiledMetadataApi {
  readonly request: CompiledRequest;
  readonly mapping: CompiledMapping;
}

/** What a call needs of the HTTP client. */
export interface RequestSender {
  request(request: BoundedRequest): Promise<RequestOutcome>;
}

/** One call and what came of it. */
export interface MetadataCall {
  /** Holds no credential. */
  readonly request_url: string;
  readonly latency_ms: number;
  readonly answer: Answer;
  /** What came of the body; null where there was no answer at all. May repeat the credential, where the API does. */
  readonly body: Uint8Array | null;
}

export function compileMetadataApi(configuration: MetadataConfiguration, context: RequestContext): CompiledMetadataApi {
  return { request: compileRequest(configuration, context), mapping: compileMapping(configuration) };
}

/** Asks the customer's API for one item. Whatever it does is an answer; nothing is remembered or counted here. */
export async function callMetadataApi(api: CompiledMetadataApi, id: string, sender: RequestSender): Promise<MetadataCall> {
  const { method, url, headers, timeout_ms, answer_bytes_max } = buildRequest(api.request, id);
  const target = new URL(url);
  const outcome = await sender.request({
    method,
    url: target,
    headers,
    timeoutMs: timeout_ms,
    readBytesMax: answer_bytes_max,
    keptBytesMax: answer_bytes_max,
  });
  return {
    request_url: target.href,
    latency_ms: outcome.latencyMs,
    answer: readReply(api.mapping, outcome),
    body: outcome.status === null ? null : outcome.body,
  };
}
