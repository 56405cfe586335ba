import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accepts } from './static-files.js';

const compress = promisify(gzip);

/** A shorter response fits into one packet either way. */
const COMPRESSED_BYTES_MIN = 1_400;

/**
 * Compresses the response to a read with gzip if the client accepts that; a page of links shrinks to an eighth. Does not compress streams,
 * pictures, objects with an entity tag, which identifies the bytes of one representation (RFC 9110, section 8.8.3), and responses to
 * writes, whose clients are programs nearby.
 */
export async function compressAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return payload;
  if (!(payload instanceof Buffer) || payload.length < COMPRESSED_BYTES_MIN) return payload;
  if (reply.getHeader('etag') !== undefined || !String(reply.getHeader('content-type')).startsWith('application/json')) return payload;
  const varies = reply.getHeader('vary');
  reply.header('vary', varies === undefined ? 'Accept-Encoding' : `${varies}, Accept-Encoding`);
  if (!accepts(request.headers['accept-encoding'], 'gzip')) return payload;
  reply.header('content-encoding', 'gzip');
  return compress(payload);
}
