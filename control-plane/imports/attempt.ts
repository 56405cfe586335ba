import { randomUUID } from 'node:crypto';
import type { BulkResult } from '../../shared/contract/schemas/link-bulk.js';
import type { ImportOutcome } from '../../shared/contract/schemas/link-import.js';
import { PROBLEMS } from '../../shared/contract/schemas/problem-codes.js';
import { problemBody } from '../http/problems.js';
import { createLinks } from '../links/bulk.js';
import { GENERATED_TRIES_MAX } from '../links/generated-path.js';
import type { ImportTarget } from './import-target.js';
import { aliasFault, type PlannedLink, planLink, withoutFields } from './plan-link.js';
import { callsOf, pointerOf } from './refused-fields.js';
import { said } from './sources/source-link.js';

/** What became of one link of the source. */
export interface ImportLine {
  /** The number of its row in the file; null if it was not read from a file. */
  readonly row: number | null;
  readonly id: string;
  readonly outcome: ImportOutcome;
  readonly url: string | null;
  /** Fields that were not carried over. */
  readonly lost: readonly string[];
  readonly reason: string | null;
}

/** Whether the link was imported without some of its fields. */
export function hasLosses({ outcome, lost }: ImportLine): boolean {
  return lost.length > 0 && outcome !== 'failed' && outcome !== 'skipped';
}

/** The result of creating a link: the link, or why it was refused. */
export type Result = BulkResult['results'][number];

/** A link to create, in one of the ways that are tried one after the other. */
export interface Attempt {
  readonly plan: PlannedLink;
  /** Whether its path became an alias, because another link has that path. */
  readonly byAlias: boolean;
  /** The refusal of the plan because its path or an alias is taken. */
  readonly conflict?: Result;
}

/**
 * Creates the links, in as few calls as their passwords allow. In a trial, links that conflict with those of an earlier call are refused
 * as taken.
 */
export async function createAttempts(attempts: readonly Attempt[], target: ImportTarget): Promise<ReadonlyMap<Attempt, Result>> {
  const { trial, linkHost } = target;
  const resultOf = new Map<PlannedLink, Result>();
  for (const plans of callsOf(attempts.map(({ plan }) => plan))) {
    const free: PlannedLink[] = [];
    for (const [index, plan] of plans.entries()) {
      const refusal = trial?.refusalOf(plan, linkHost) ?? null;
      if (refusal === null) free.push(plan);
      else resultOf.set(plan, { index, status: PROBLEMS.conflict.status, error: problemBody(refusal, '') });
    }
    const results = free.length === 0 ? [] : await createTogether(free, target);
    for (const [index, plan] of free.entries()) {
      const result = results[index] as Result;
      resultOf.set(plan, result);
      if ('link' in result) trial?.add(plan, result.link, linkHost);
    }
  }
  return new Map(attempts.map((attempt) => [attempt, resultOf.get(attempt.plan) as Result]));
}

async function createTogether(plans: readonly PlannedLink[], target: ImportTarget): Promise<readonly Result[]> {
  const { environment, createdBy, dryRun, form } = target;
  const items = plans.map(({ body }) => body);
  const disabled = new Set(plans.flatMap(({ source }, index) => (source.disabled ? index : [])));
  const given = { items, environment, createdBy, requestId: randomUUID(), nowMs: target.nowMs(), dryRun, form, disabled };
  const { result } = await createLinks(given, target.database);
  return result.results;
}

/**
 * Returns the line of a link that was created or given up, or the next attempt: without the fields that were refused, or at another
 * address.
 */
export function judgeResult({ plan, byAlias, conflict }: Attempt, result: Result, target: ImportTarget): ImportLine | Attempt {
  if ('link' in result) return { ...lineOf(plan, byAlias ? 'aliased' : 'created'), url: result.link.url };
  const { error } = result;
  const wrong = (error?.errors ?? []).map(({ pointer, detail }) => `${pointerOf({ pointer })}: ${detail}`);
  // What is taken is named by the sentence about the whole link; what is wrong, by its field.
  const reason = result.status === PROBLEMS.conflict.status || wrong.length === 0 ? (error?.detail ?? '') : wrong.join(' ');
  if (result.status === 422) {
    const pointers = (error?.errors ?? []).map(pointerOf);
    const fewer = pointers.length === 0 ? null : withoutFields(plan, pointers);
    return fewer === null ? { ...lineOf(plan, 'failed'), reason } : { plan: fewer, byAlias };
  }
  if (result.status !== PROBLEMS.conflict.status) return { ...lineOf(plan, 'failed'), reason };
  // Another call may have created this very link since it was looked for, for example the same call, repeated by a proxy.
  if (conflict === undefined) return { plan, byAlias, conflict: result };
  const taken = plan.ownPathsTaken;
  if (taken !== null && taken + 1 < GENERATED_TRIES_MAX)
    return { plan: replanned(plan, planLink(plan.source, target, false, taken + 1)), byAlias: false };
  if (!byAlias && taken === null && plan.body.path !== undefined && target.collision === 'alias') {
    const fault = aliasFault(plan.source, target);
    if (fault !== null) return { ...lineOf(plan, 'failed'), reason: `${reason} ${fault}` };
    return { plan: replanned(plan, planLink(plan.source, target, true)), byAlias: true };
  }
  return { ...lineOf(plan, target.collision === 'skip' ? 'skipped' : 'failed'), reason };
}

/** The plan at the address of the next one, without the fields that were refused. */
function replanned({ body, lost }: PlannedLink, next: PlannedLink): PlannedLink {
  const { path, domain, aliases } = next.body;
  const { path: _path, domain: _domain, aliases: _aliases, ...fields } = body;
  return { ...next, lost, body: { ...fields, ...said({ path, domain, aliases }) } };
}

export function lineOf({ source, lost }: PlannedLink, outcome: ImportLine['outcome']): ImportLine {
  return { row: source.row ?? null, id: source.id, outcome, url: null, lost, reason: null };
}
