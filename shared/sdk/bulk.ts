import { camelPointer, toSnake } from './casing.js';
import { ConfigurationError, type FieldProblem, LinkServiceError, type Problem } from './errors.js';
import type { CallOptions, Transport } from './http.js';
import type { AnswerOf, Link, LinkCreate } from './operations.js';

/** Contract: links of one call, and bytes of its body. Some bytes are left for what surrounds the links. */
const CHUNK_LINKS_MAX = 1000;
const CHUNK_BYTES_MAX = 7.5 * 1024 * 1024;

export interface BulkProgress {
  /** Links that were created or refused so far. */
  readonly done: number;
  readonly created: number;
  readonly failed: number;
}

export interface BulkOptions extends Pick<CallOptions, 'signal'> {
  /** Links of one call, 1 to 1000; 1000 if absent, or if it is more. */
  readonly chunkSize?: number;
  /** Called after each chunk. */
  readonly onProgress?: (progress: BulkProgress) => void;
}

/** The outcome for one link. `index` is its position in the input. */
export type BulkItem =
  | { readonly index: number; readonly status: 201; readonly link: Link }
  | { readonly index: number; readonly status: number; readonly error: Problem };

export interface BulkResult {
  readonly results: readonly BulkItem[];
  readonly created: number;
  readonly failed: number;
}

/**
 * A chunk could not be sent, was refused as a whole, or the links to send could not be read. `cause` says why, and `done` contains the
 * results of the chunks before it.
 */
export class BulkError extends LinkServiceError {
  override readonly name = 'BulkError';
  readonly done: BulkResult;

  constructor(done: BulkResult, cause: unknown) {
    super(`Stopped after ${done.results.length} links: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.done = done;
  }
}

/** Creates any number of links, chunk by chunk. Each chunk has an idempotency key of its own, so that a retry creates no link twice. */
export async function createLinks(
  transport: Transport,
  links: Iterable<LinkCreate> | AsyncIterable<LinkCreate>,
  options: BulkOptions = {},
): Promise<BulkResult> {
  const { chunkSize = CHUNK_LINKS_MAX } = options;
  // With NaN, no chunk would ever be full.
  if (typeof chunkSize !== 'number' || !(chunkSize >= 1)) throw new ConfigurationError('chunkSize must be a number of links, 1 or more.');
  const result = { results: [] as BulkItem[], created: 0, failed: 0 };
  // The source of the links and `onProgress` are the caller's own, and may fail after links were created.
  try {
    for await (const chunk of chunks(links, Math.min(chunkSize, CHUNK_LINKS_MAX))) {
      const first = result.results.length;
      const answer: AnswerOf<'createLinks'> = await transport.send({
        method: 'POST',
        path: '/links/bulk',
        body: { links: chunk },
        list: 'results',
        options: { signal: options.signal } as CallOptions,
      });
      for (const item of answer.results) result.results.push(placed(item as BulkItem, first));
      result.created += answer.created;
      result.failed += answer.failed;
      options.onProgress?.({ done: result.results.length, created: result.created, failed: result.failed });
    }
  } catch (error) {
    throw new BulkError(result, error);
  }
  return result;
}

async function* chunks(
  links: Iterable<LinkCreate> | AsyncIterable<LinkCreate>,
  size: number,
): AsyncGenerator<LinkCreate[], void, undefined> {
  let chunk: LinkCreate[] = [];
  let bytes = 0;
  for await (const link of links) {
    const linkBytes = Buffer.byteLength(JSON.stringify(toSnake(link))) + 1;
    if (chunk.length > 0 && (chunk.length >= size || bytes + linkBytes > CHUNK_BYTES_MAX)) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(link);
    bytes += linkBytes;
  }
  if (chunk.length > 0) yield chunk;
}

/** Indexes and pointers of a chunk's answer refer to the chunk. Those for the caller count from the first link of all. */
function placed(item: BulkItem, first: number): BulkItem {
  const index = item.index + first;
  if (!('error' in item)) return { ...item, index };
  const errors = item.error.errors?.map((field: FieldProblem) => ({
    ...field,
    pointer: camelPointer(field.pointer.replace(/^\/links\/\d+/, `/links/${index}`)),
  }));
  return { ...item, index, error: { ...item.error, ...(errors === undefined ? {} : { errors }) } };
}
