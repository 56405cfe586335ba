import { parentPort, workerData } from 'node:worker_threads';
import fastify from 'fastify';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { invariant } from '../../shared/base/invariant.js';
import { LARGE_CALLS_AT_ONCE } from '../../shared/base/limits.js';
import type { SecretKeys } from '../../shared/secrets/seal.js';
import { createDatabase, createPool } from '../db/database.js';
import { createBodyParser } from '../http/body.js';
import { ConnectionShares } from '../http/connection-shares.js';
import type { Committed } from '../http/operation.js';
import { createPipeline } from '../http/pipeline.js';
import { importOperations } from '../imports/handlers.js';
import { type BulkDependencies, bulkOperations } from '../links/bulk-operation.js';
import { type Outcome, outcomeOf } from '../threads/outcome.js';
import type { LargeAnswer, LargeCall, LargeCallSettings } from './large-calls.js';

/** The thread of large calls: turns the bytes of a request body into the bytes of its response. */

invariant(parentPort !== null, 'this module runs in a worker thread');
const port = parentPort;
const settings = workerData as LargeCallSettings;
const secretKeys = withBuffers(settings.secretKeys);
const pool = createPool(settings.databaseUrl, LARGE_CALLS_AT_ONCE, 'control-plane-large-calls', (error) => port.postMessage(error));
const database = new ConnectionShares(createDatabase(pool), LARGE_CALLS_AT_ONCE);
const parse = createBodyParser(fastify());

/** Restores the buffers, which a message turns into plain bytes. */
function withBuffers({ current, keys }: SecretKeys): SecretKeys {
  return { current, keys: new Map([...keys].map(([id, key]) => [id, Buffer.from(key)])) };
}

async function answer({ operation, request, body, nowMs }: LargeCall): Promise<LargeAnswer> {
  let committed: Committed = {};
  const announce = async (given: Committed) => {
    committed = given;
  };
  const dependencies: BulkDependencies = { form: settings.linkUrlForm };
  // A pipeline per call costs nothing, because validators are compiled once for each schema.
  const parts = { database, queue: null, secretKeys, clock: () => nowMs, announce };
  const run =
    operation === 'createLinks'
      ? createPipeline('createLinks', bulkOperations(dependencies).createLinks, parts)
      : createPipeline('importLinks', importOperations(dependencies).importLinks, parts);
  const reply = await run({ ...request, rawBody: body, body: await parse(body) });
  invariant(typeof reply.body === 'string', 'no large call is answered with a file');
  return { status: reply.status, headers: reply.headers, body: new TextEncoder().encode(reply.body), committed };
}

/** Transfers the bytes of an outcome instead of copying them. */
function moved(outcome: Outcome<LargeAnswer>): unknown {
  if (outcome.kind !== 'done') return outcome;
  return move({ [transferableSymbol]: [outcome.result.body.buffer], [valueSymbol]: outcome });
}

export default async function answerLargeCall(call: LargeCall): Promise<unknown> {
  return moved(await outcomeOf(() => answer(call)));
}
