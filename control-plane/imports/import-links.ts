import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { BULK_LINKS_MAX, PASSWORDS_OF_BULK_MAX } from '../../shared/base/limits.js';
import type { BulkResult } from '../../shared/contract/schemas/link-bulk.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import { type Database, DatabaseUnavailableError } from '../db/database.js';
import type { CallerEnvironment } from '../http/authenticate.js';
import type { Call } from '../http/operation.js';
import { createLinks } from '../links/bulk.js';
import { type ClicksOfLink, replaceImportedClicks } from '../links/imported-clicks.js';
import { disableLinks } from './disable-links.js';
import { findImported } from './existing-links.js';
import { type PlannedLink, planLink, type TargetHosts, withoutFields } from './plan-link.js';
import type { SourceLink } from './sources/source-link.js';

export const COLLISIONS = ['fail', 'skip', 'alias'] as const;
/** What becomes of a link whose path another link has. */
export type Collision = (typeof COLLISIONS)[number];

/** What became of one link of the source. */
export interface ImportLine {
  readonly id: string;
  /** `exists`: an earlier run has made it. `aliased`: its path was taken, and an alias leads to it. */
  readonly outcome: 'created' | 'aliased' | 'exists' | 'skipped' | 'failed';
  readonly url: string | null;
  /** Fields that were not carried over. */
  readonly lost: readonly string[];
  readonly reason: string | null;
}

export interface ImportTarget extends TargetHosts {
  readonly database: Database;
  readonly environment: CallerEnvironment;
  readonly form: LinkUrlForm;
  /** What clicks of before are noted under, unless the source names another service. */
  readonly sourceName: string;
  readonly collision: Collision;
  readonly dryRun: boolean;
  readonly nowMs: () => number;
}

type Result = BulkResult['results'][number];

/**
 * Makes the links of the source, a thousand in a transaction, and yields a line for each, in their order. While PostgreSQL
 * works on one batch, the next one is prepared, unless both have an address in common: of two links with one address the first
 * is made.
 */
export async function* importLinks(links: AsyncIterable<SourceLink>, target: ImportTarget): AsyncIterable<ImportLine> {
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
  for await (const link of links) {
    batch.push(link);
    if (batch.length < BULK_LINKS_MAX) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Rows of clicks in one statement, but for those of its last link. */
const CLICK_ROWS_MAX = 10_000;

const TRIES_MAX = 3;
const TRY_AGAIN_MS = 1000;

/** Two batches that make the same tags may meet in a circle, of which PostgreSQL ends one; and a server may be away for a moment. */
async function importAgain(sources: readonly SourceLink[], target: ImportTarget): Promise<readonly ImportLine[]> {
  for (let tries = 1; ; tries++)
    try {
      return await importSome(sources, target);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError) || tries === TRIES_MAX) throw error;
      await setTimeout(TRY_AGAIN_MS);
    }
}

/**
 * Each link is tried as it is, then without the fields that were refused, then by an alias if its path is taken and that
 * was asked for. Whatever run has made a link before is found again first, so that a run that is killed and begun again
 * doubles nothing.
 */
async function importSome(sources: readonly SourceLink[], target: ImportTarget): Promise<readonly ImportLine[]> {
  const lines = new Map<SourceLink, ImportLine>();
  const ids = new Map<SourceLink, string>();
  let left: readonly Attempt[] = sources.map((source) => ({ plan: planLink(source, target, false), byAlias: false }));
  while (left.length > 0) {
    const known = await findImported(
      target.database,
      target.environment.id,
      left.map(({ plan }) => plan),
    );
    for (const { plan } of left) {
      const existing = known.get(plan);
      if (existing === undefined) continue;
      lines.set(plan.source, lineOf(plan, 'exists'));
      ids.set(plan.source, existing.id);
    }
    const wanted = left.filter(({ plan }) => !known.has(plan));
    const results =
      wanted.length === 0
        ? []
        : await create(
            wanted.map(({ plan }) => plan),
            target,
          );
    const again: Attempt[] = [];
    for (const [index, attempt] of wanted.entries()) {
      const result = results[index] as Result;
      if ('link' in result) ids.set(attempt.plan.source, result.link.id);
      const next = judge(attempt, result, target);
      if ('plan' in next) again.push(next);
      else lines.set(attempt.plan.source, next);
    }
    left = again;
  }
  if (!target.dryRun) await storeClicks(ids, target);
  const off = sources.filter((source) => source.disabled && ['created', 'aliased', 'exists'].includes(lines.get(source)?.outcome ?? ''));
  if (off.length > 0 && !target.dryRun)
    await disableLinks(
      target.database,
      target.environment.id,
      off.map((source) => planLink(source, target, lines.get(source)?.outcome === 'aliased')),
    );
  return sources.map((source) => lines.get(source) as ImportLine);
}

/** Clicks of before, also of links that an earlier run has made: what the source says now counts. */
async function storeClicks(ids: ReadonlyMap<SourceLink, string>, { database, sourceName }: ImportTarget): Promise<void> {
  let rows: ClicksOfLink[] = [];
  for (const [{ clicks = [] }, link_id] of ids) {
    rows.push(...clicks.map(({ source = sourceName, day, clicks }) => ({ link_id, source, day, clicks })));
    // Those of one link go together, since they replace what it has.
    if (rows.length < CLICK_ROWS_MAX) continue;
    await replaceImportedClicks(database, rows);
    rows = [];
  }
  await replaceImportedClicks(database, rows);
}

interface Attempt {
  readonly plan: PlannedLink;
  readonly byAlias: boolean;
}

/** The line of a link that was made or given up; or the next attempt. */
function judge({ plan, byAlias }: Attempt, result: Result, target: ImportTarget): ImportLine | Attempt {
  if ('link' in result) return { ...lineOf(plan, byAlias ? 'aliased' : 'created'), url: result.link.url };
  const { error } = result;
  const reason = [error?.detail, ...(error?.errors ?? []).map(({ pointer, detail }) => `${pointer.replace(/^\/links\/\d+/, '')} ${detail}`)]
    .filter(Boolean)
    .join(' ');
  if (result.status === 422) {
    const pointers = (error?.errors ?? []).map(({ pointer }) => pointer.replace(/^\/links\/\d+/, ''));
    const fewer = pointers.length === 0 ? null : withoutFields(plan, pointers);
    return fewer === null ? { ...lineOf(plan, 'failed'), reason } : { plan: fewer, byAlias };
  }
  if (!byAlias && plan.body.path !== undefined && target.collision === 'alias')
    return { plan: { ...planLink(plan.source, target, true), lost: plan.lost }, byAlias: true };
  return { ...lineOf(plan, target.collision === 'skip' ? 'skipped' : 'failed'), reason };
}

function lineOf({ source, lost }: PlannedLink, outcome: ImportLine['outcome']): ImportLine {
  return { id: source.id, outcome, url: null, lost, reason: null };
}

/** One call after the other, each with as many passwords as it takes. */
async function create(plans: readonly PlannedLink[], target: ImportTarget): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < plans.length; ) {
    let passwords = 0;
    const past = plans.findIndex(
      ({ body }, index) => index >= from && typeof body.password === 'string' && ++passwords > PASSWORDS_OF_BULK_MAX,
    );
    const to = past === -1 ? plans.length : past;
    results.push(...(await createTogether(plans.slice(from, to), target)));
    from = to;
  }
  return results;
}

async function createTogether(plans: readonly PlannedLink[], target: ImportTarget): Promise<readonly Result[]> {
  const call: Call<'createLinks'> = {
    caller: { keyId: '', kind: 'secret', scopes: ['links:write'], environment: target.environment },
    params: {},
    query: {},
    body: { links: plans.map(({ body }) => body), dry_run: target.dryRun },
    requestId: randomUUID(),
    lastEventId: null,
    clientAddress: '',
    nowMs: target.nowMs(),
    requireMatch: () => {},
  };
  const { result } = await createLinks(call, target.database, target.form);
  return result.results;
}
