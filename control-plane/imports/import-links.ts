import { setTimeout } from 'node:timers/promises';
import { BULK_LINKS_MAX } from '../../shared/base/limits.js';
import { DatabaseUnavailableError } from '../db/database.js';
import type { ImportLine } from './attempt.js';
import { importBatch } from './import-batch.js';
import type { ImportTarget } from './import-target.js';
import type { SourceLink } from './sources/source-link.js';
import { Trial } from './trial.js';

/**
 * Creates the links of the source, a thousand per transaction, and yields a line for each, in their order. While PostgreSQL works on one
 * batch, the next one is prepared, unless they have an address in common: of two links with the same address, the first one has to be
 * created.
 */
export async function* importLinks(links: AsyncIterable<SourceLink>, given: ImportTarget): AsyncIterable<ImportLine> {
  const target = given.dryRun ? { ...given, trial: new Trial() } : given;
  let underWay: { readonly addresses: ReadonlySet<string>; readonly lines: Promise<readonly ImportLine[]> } | null = null;
  try {
    for await (const batch of batchesOf(links)) {
      const addresses = new Set(batch.flatMap((source) => source.addresses.map(({ path }) => path.toLowerCase().replace(/\/$/, ''))));
      if (underWay !== null && sharesAny(addresses, underWay.addresses)) {
        yield* await underWay.lines;
        underWay = null;
      }
      const before = underWay;
      underWay = { addresses, lines: importWithRetries(batch, target) };
      // It is awaited further down; until then, a rejection must not count as unhandled.
      underWay.lines.catch(() => undefined);
      if (before !== null) yield* await before.lines;
    }
  } finally {
    // Even if the source fails, what was created is reported.
    if (underWay !== null) yield* await underWay.lines;
  }
}

function sharesAny(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const one of some) if (others.has(one)) return true;
  return false;
}

async function* batchesOf(links: AsyncIterable<SourceLink>): AsyncIterable<readonly SourceLink[]> {
  let batch: SourceLink[] = [];
  try {
    for await (const link of links) {
      batch.push(link);
      if (batch.length < BULK_LINKS_MAX) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    // The source may have been asked for each of these links. They are created, so that it need not be asked again.
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}

const TRIES_MAX = 3;
const TRY_AGAIN_MS = 1000;

/** Two batches that create the same tags may deadlock, and PostgreSQL aborts one of them. A server may also be unavailable for a moment. */
async function importWithRetries(sources: readonly SourceLink[], target: ImportTarget): Promise<readonly ImportLine[]> {
  for (let tries = 1; ; tries++)
    try {
      return await importBatch(sources, target);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError) || tries === TRIES_MAX) throw error;
      await setTimeout(TRY_AGAIN_MS);
    }
}
