import { setTimeout } from 'node:timers/promises';
import { BULK_LINKS_MAX } from '../../shared/base/limits.js';
import { DatabaseUnavailableError } from '../db/database.js';
import type { ImportLine } from './attempt.js';
import { importBatch } from './import-batch.js';
import type { ImportTarget } from './import-target.js';
import type { SourceLink } from './sources/source-link.js';
import { Trial } from './trial.js';

/**
 * Makes the links of the source, a thousand in a transaction, and yields a line for each, in their order. While PostgreSQL
 * works on one batch, the next one is prepared, unless both have an address in common: of two links with one address the first
 * is made.
 */
export async function* importLinks(links: AsyncIterable<SourceLink>, given: ImportTarget): AsyncIterable<ImportLine> {
  const target = given.dryRun ? { ...given, trial: new Trial() } : given;
  let underWay: { readonly addresses: ReadonlySet<string>; readonly lines: Promise<readonly ImportLine[]> } | null = null;
  try {
    for await (const batch of batchesOf(links)) {
      const addresses = new Set(batch.flatMap((source) => source.addresses.map(({ path }) => path.toLowerCase())));
      if (underWay !== null && sharesAny(addresses, underWay.addresses)) {
        yield* await underWay.lines;
        underWay = null;
      }
      const before = underWay;
      underWay = { addresses, lines: importAgain(batch, target) };
      // It is waited for further down: until then a failure is nobody's.
      underWay.lines.catch(() => undefined);
      if (before !== null) yield* await before.lines;
    }
  } finally {
    // Also where the source fails: what was made is told.
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
    // A source may have been asked for each link of these: they are made, so that it is not asked again.
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}

const TRIES_MAX = 3;
const TRY_AGAIN_MS = 1000;

/** Two batches that make the same tags may meet in a circle, of which PostgreSQL ends one; and a server may be away for a moment. */
async function importAgain(sources: readonly SourceLink[], target: ImportTarget): Promise<readonly ImportLine[]> {
  for (let tries = 1; ; tries++)
    try {
      return await importBatch(sources, target);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError) || tries === TRIES_MAX) throw error;
      await setTimeout(TRY_AGAIN_MS);
    }
}
