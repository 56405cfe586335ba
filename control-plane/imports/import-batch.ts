import { randomUUID } from 'node:crypto';
import type { Link } from '../../shared/contract/schemas/link.js';
import type { BulkResult } from '../../shared/contract/schemas/link-bulk.js';
import type { ImportOutcome } from '../../shared/contract/schemas/link-import.js';
import { PROBLEMS } from '../../shared/contract/schemas/problem-codes.js';
import type { Call } from '../http/operation.js';
import { problemBody, refuseTaken } from '../http/problems.js';
import { createLinks } from '../links/bulk.js';
import { GENERATED_TRIES_MAX } from '../links/generated-path.js';
import { addImportedClicks, type ClicksOfLink, replaceImportedClicks } from '../links/imported-clicks.js';
import { linkUrl } from '../links/link-row.js';
import { disableLinks } from './disable-links.js';
import { addressOf, findImported, findTakenOver, isSame, type LinkIdentity } from './existing-links.js';
import type { ImportTarget } from './import-target.js';
import { withOwnHosts } from './own-hosts.js';
import { aliasFault, type PlannedLink, planLink, withoutFields } from './plan-link.js';
import { callsOf, lostOf, pointerOf } from './refused-fields.js';
import { type SourceLink, withPaths } from './sources/source-link.js';

/** What became of one link of the source. */
export interface ImportLine {
  readonly id: string;
  readonly outcome: ImportOutcome;
  readonly url: string | null;
  /** Fields that were not carried over. */
  readonly lost: readonly string[];
  readonly reason: string | null;
}

type Result = BulkResult['results'][number];

/** Rows of clicks in one statement, but for those of its last link. */
const CLICK_ROWS_MAX = 10_000;

/**
 * Each link is tried as it is, then without the fields that were refused, then by an alias if its path is taken and that
 * was asked for. Whatever run has made a link before is found again first, so that a run that is killed and begun again
 * doubles nothing; so is a link of this batch by a second row of the same one.
 */
export async function importBatch(read: readonly SourceLink[], given: ImportTarget): Promise<readonly ImportLine[]> {
  const sources = read.map(withPaths);
  const target = { ...given, hosts: await withOwnHosts(sources, given, given.database) };
  const lines = new Map<SourceLink, ImportLine>();
  const ids = new Map<SourceLink, string>();
  const made = new Set<SourceLink>();
  const madeAt = new Map<string, MadeLink>();
  const found: PlannedLink[] = [];
  for (const source of sources) if (source.fault !== undefined) lines.set(source, faulty(source));
  let left: readonly Attempt[] = sources
    .filter((source) => !lines.has(source))
    .map((source) => ({ plan: planLink(source, target, false), byAlias: false }));
  while (left.length > 0) {
    const known = await findImported(
      target.database,
      target.environment.id,
      left.map(({ plan }) => plan),
    );
    for (const { plan } of left) {
      const existing = known.get(plan) ?? sameOf(madeAt.get(addressOf(plan)), plan);
      if (existing === null) continue;
      const url = 'url' in existing ? existing.url : linkUrl(target.form, existing.domain ?? target.linkHost, existing.path);
      lines.set(plan.source, { ...lineOf(plan, 'exists'), url });
      ids.set(plan.source, existing.id);
      found.push(
        plan.source.disabled && 'kept_on' in existing && existing.kept_on
          ? { ...plan, lost: [...new Set([...plan.lost, 'status'])] }
          : plan,
      );
    }
    const unknown = left.filter(({ plan }) => !ids.has(plan.source));
    const wanted = unknown.filter(({ conflict }) => conflict === undefined);
    const results = await create(
      wanted.map(({ plan }) => plan),
      target,
    );
    const resultOf = new Map(wanted.map((attempt, index) => [attempt, results[index] as Result]));
    const again: Attempt[] = [];
    for (const attempt of unknown) {
      const result = attempt.conflict ?? (resultOf.get(attempt) as Result);
      if ('link' in result) {
        ids.set(attempt.plan.source, result.link.id);
        made.add(attempt.plan.source);
        madeAt.set(addressOf(attempt.plan), madeLink(result.link));
      }
      const next = judge(attempt, result, target);
      if ('plan' in next) again.push(next);
      else lines.set(attempt.plan.source, next);
    }
    left = again;
  }
  const lost = await lostOf(found, target);
  for (const [index, { source }] of found.entries())
    lines.set(source, { ...(lines.get(source) as ImportLine), lost: lost[index] as readonly string[] });
  if (!target.dryRun) await storeClicks(ids, made, target);
  if (!target.dryRun) await disableExisting(ids, made, target);
  return sources.map((source) => lines.get(source) as ImportLine);
}

/** A link of this batch. A trial takes it back, so that it is not found among those that are stored. */
interface MadeLink extends LinkIdentity {
  readonly id: string;
  readonly url: string;
}

function madeLink({ id, url, destinations, created_at }: Link): MadeLink {
  return { id, url, web: destinations?.web ?? null, created_at: new Date(created_at) };
}

/** The link, if the plan is one of the very same: its row comes twice. */
function sameOf(made: MadeLink | undefined, plan: PlannedLink): MadeLink | null {
  return made !== undefined && isSame(made, plan) ? made : null;
}

/**
 * Links that the source switched off after an earlier run had made them. What this run has made was never on. A link that was changed here
 * since stays as it is: somebody may have given it the password that the source does not tell, and switched it on.
 */
async function disableExisting(
  ids: ReadonlyMap<SourceLink, string>,
  made: ReadonlySet<SourceLink>,
  { database }: ImportTarget,
): Promise<void> {
  const off = [...ids].flatMap(([source, id]) => (source.disabled && !made.has(source) ? id : []));
  if (off.length > 0) await disableLinks(database, off);
}

/** Clicks of before, also of links that an earlier run has made: what the source says now counts, and of a row that comes twice the last one. */
async function storeClicks(ids: ReadonlyMap<SourceLink, string>, made: ReadonlySet<SourceLink>, target: ImportTarget): Promise<void> {
  const added: ClicksOfLink[] = [];
  const replaced = new Map<string, readonly ClicksOfLink[]>();
  for (const [source, link_id] of ids) {
    const rows = (source.clicks ?? []).map(({ source = target.sourceName, day, clicks }) => ({ link_id, source, day, clicks }));
    if (made.has(source)) added.push(...rows);
    else if (rows.length > 0) replaced.set(link_id, rows);
  }
  for (const rows of partsOf(added)) await addImportedClicks(target.database, rows);
  for (const rows of partsOf([...replaced.values()].flat())) await replaceImportedClicks(target.database, rows);
}

/** The rows of one link go together, since they replace what it has. */
function* partsOf(rows: readonly ClicksOfLink[]): Iterable<readonly ClicksOfLink[]> {
  for (let from = 0; from < rows.length; ) {
    let to = Math.min(rows.length, from + CLICK_ROWS_MAX);
    while (to < rows.length && rows[to]?.link_id === rows[to - 1]?.link_id) to++;
    yield rows.slice(from, to);
    from = to;
  }
}

interface Attempt {
  readonly plan: PlannedLink;
  readonly byAlias: boolean;
  /** What the plan was refused with, once its path was taken. */
  readonly conflict?: Result;
}

/** The line of a link that was made or given up; or the next attempt. */
function judge({ plan, byAlias, conflict }: Attempt, result: Result, target: ImportTarget): ImportLine | Attempt {
  if ('link' in result) return { ...lineOf(plan, byAlias ? 'aliased' : 'created'), url: result.link.url };
  const { error } = result;
  const reason = [error?.detail, ...(error?.errors ?? []).map(({ pointer, detail }) => `${pointerOf({ pointer })} ${detail}`)]
    .filter(Boolean)
    .join(' ');
  if (result.status === 422) {
    const pointers = (error?.errors ?? []).map(pointerOf);
    const fewer = pointers.length === 0 ? null : withoutFields(plan, pointers);
    return fewer === null ? { ...lineOf(plan, 'failed'), reason } : { plan: fewer, byAlias };
  }
  if (result.status !== PROBLEMS.conflict.status) return { ...lineOf(plan, 'failed'), reason };
  // Another call may have made this very link since it was looked for, such as the same call again by way of a proxy.
  if (conflict === undefined) return { plan, byAlias, conflict: result };
  const taken = plan.ownPathsTaken;
  if (taken !== null && taken + 1 < GENERATED_TRIES_MAX)
    return { plan: { ...planLink(plan.source, target, false, taken + 1), lost: plan.lost }, byAlias: false };
  if (!byAlias && taken === null && plan.body.path !== undefined && target.collision === 'alias') {
    const fault = aliasFault(plan.source, target);
    if (fault !== null) return { ...lineOf(plan, 'failed'), reason: `${reason} ${fault}` };
    return { plan: { ...planLink(plan.source, target, true), lost: plan.lost }, byAlias: true };
  }
  return { ...lineOf(plan, target.collision === 'skip' ? 'skipped' : 'failed'), reason };
}

/** A row that says too little to be a link. */
function faulty({ id, fault = '' }: SourceLink): ImportLine {
  return { id, outcome: 'failed', url: null, lost: [], reason: fault };
}

function lineOf({ source, lost }: PlannedLink, outcome: ImportLine['outcome']): ImportLine {
  return { id: source.id, outcome, url: null, lost, reason: null };
}

async function create(plans: readonly PlannedLink[], target: ImportTarget): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const call of callsOf(plans)) results.push(...(await createFree(call, target)));
  return results;
}

/** Those that would take over the visits of another link are refused, as if its address were taken by an alias. */
async function createFree(plans: readonly PlannedLink[], target: ImportTarget): Promise<readonly Result[]> {
  const takenOver = await findTakenOver(target.database, target, plans);
  if (takenOver.size === 0) return createTogether(plans, target);
  const free = plans.filter((plan) => !takenOver.has(plan));
  const results = free.length === 0 ? [] : await createTogether(free, target);
  const resultOf = new Map(free.map((plan, index) => [plan, results[index] as Result]));
  return plans.map((plan, index) => {
    const refusal = refuseTaken('/aliases', `${takenOver.get(plan)} is the address of another link.`);
    return resultOf.get(plan) ?? { index, status: PROBLEMS.conflict.status, error: problemBody(refusal, '') };
  });
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
  const disabled = new Set(plans.flatMap(({ source }, index) => (source.disabled ? index : [])));
  const { result, aliasesFed } = await createLinks(call, target.database, target.form, disabled);
  if (aliasesFed !== null && !target.dryRun) target.onAliasesFed?.(aliasesFed);
  return result.results;
}
