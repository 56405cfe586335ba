import { laterThan } from '../../shared/base/instant.js';
import { invariant } from '../../shared/base/invariant.js';
import type { Issue } from '../../shared/base/issue.js';
import type { UrlTemplatePatch } from '../../shared/contract/schemas/url-template.js';
import { type IdFormat, parseIdFormat } from '../../shared/records/id-format.js';
import { DESTINATION_SLOTS, type Destinations } from '../../shared/records/records.js';
import { storedRedirect } from '../../shared/resolve/destination-rules.js';
import { patternsOverlap } from '../../shared/resolve/overlap.js';
import { type PathPattern, parsePattern } from '../../shared/resolve/pattern.js';
import type { OwnSchemes } from '../../shared/resolve/stored-destination.js';
import { checkTemplate, type TemplateDefinition, type TemplateInput } from '../../shared/resolve/template-rules.js';
import { patchedDestinations, type StoredDestinations } from '../destinations/destination.js';
import { isSameJson } from '../http/canonical-json.js';
import type { TakenPattern } from './sql.js';
import { storedRedirects, type UrlTemplateRow } from './url-template-row.js';

/** The fields of a body, of any type. */
export type Fields = Readonly<Record<string, unknown>>;

/** The body of a creation as the rules take it: null sets nothing, just like an absent member. */
export function inputOfBody(body: Fields): TemplateInput {
  const { path_pattern, id_format, deep_link_path, data, redirects, allow_param_passthrough } = body;
  return { path_pattern, id_format, deep_link_path, data: data ?? undefined, redirects: redirects ?? undefined, allow_param_passthrough };
}

/** The stored template as the rules take it. */
function inputOfRow(row: UrlTemplateRow): TemplateInput {
  return { ...row, data: row.data ?? undefined };
}

/**
 * The stored template with the members of a change applied: an absent one keeps the value, null clears it, and redirects are merged slot by
 * slot.
 */
function inputOfPatch(row: UrlTemplateRow, patch: Fields): TemplateInput {
  const stored = inputOfRow(row);
  return {
    path_pattern: stored.path_pattern,
    id_format: 'id_format' in patch ? patch.id_format : stored.id_format,
    deep_link_path: 'deep_link_path' in patch ? patch.deep_link_path : stored.deep_link_path,
    data: 'data' in patch ? (patch.data ?? undefined) : stored.data,
    redirects: mergedRedirects(row.redirects, patch.redirects),
    allow_param_passthrough: 'allow_param_passthrough' in patch ? patch.allow_param_passthrough : stored.allow_param_passthrough,
  };
}

function mergedRedirects(stored: Partial<Destinations>, given: unknown): unknown {
  if (given === undefined) return stored;
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? { ...stored, ...given } : given;
}

/**
 * What is wrong with a change. The caller is not blamed for a fault that the stored template already has in a field that the change leaves
 * alone: for example, an app of the environment may have been removed since, and the template can still be disabled.
 */
export function patchIssues(row: UrlTemplateRow, patch: Fields, schemes: OwnSchemes): readonly Issue[] {
  const changed = checkTemplate(inputOfPatch(row, patch), row.resource_type, schemes);
  if (changed.ok) return [];
  const stored = checkTemplate(inputOfRow(row), row.resource_type, schemes);
  const before = new Set(stored.ok ? [] : stored.issues.map(({ pointer, code }) => `${pointer} ${code}`));
  return changed.issues.filter(({ pointer, code }) => isGiven(patch, pointer) || !before.has(`${pointer} ${code}`));
}

function isGiven(patch: Fields, pointer: string): boolean {
  const [, field, slot] = pointer.split('/') as [string, string, string | undefined];
  if (field !== 'redirects' || slot === undefined) return field in patch;
  const { redirects } = patch;
  return typeof redirects === 'object' && redirects !== null && slot in redirects;
}

/** The columns that an accepted definition fills. */
export function columnsOf(
  definition: TemplateDefinition,
): Pick<UrlTemplateRow, 'id_format' | 'deep_link_path' | 'data' | 'redirects' | 'allow_param_passthrough'> {
  const { id_format, deep_link_path, data, redirects, allow_param_passthrough } = definition;
  return { id_format, deep_link_path, data, redirects: storedRedirects(redirects), allow_param_passthrough };
}

/** The row after a change in which `patchIssues` finds nothing wrong; the same row if nothing differs. */
export function patchedRow(row: UrlTemplateRow, patch: UrlTemplatePatch, nowMs: number): UrlTemplateRow {
  const patched: UrlTemplateRow = {
    ...row,
    id_format: patch.id_format === undefined ? row.id_format : acceptedFormat(patch.id_format),
    deep_link_path: patch.deep_link_path ?? row.deep_link_path,
    data: patch.data === undefined ? row.data : patch.data,
    redirects: patchedDestinations(inSlotOrder(row.redirects), patch.redirects, storedRedirect),
    allow_param_passthrough: patch.allow_param_passthrough ?? row.allow_param_passthrough,
    status: patch.status ?? row.status,
  };
  if (isSameJson(patched, { ...row, redirects: inSlotOrder(row.redirects) })) return row;
  return { ...patched, updated_at: laterThan(row.updated_at, nowMs) };
}

/** The format as it is stored. */
function acceptedFormat(given: IdFormat): IdFormat {
  const parsed = parseIdFormat(given);
  invariant(parsed.ok, 'a change is made only after it was accepted');
  return parsed.value;
}

function inSlotOrder(redirects: Partial<Destinations>): StoredDestinations {
  return Object.fromEntries(DESTINATION_SLOTS.flatMap((slot) => (redirects[slot] == null ? [] : [[slot, redirects[slot]]])));
}

/** The first of the taken patterns that a URL could match together with this one; null if there is none. */
export function findOverlap(pattern: PathPattern, taken: readonly TakenPattern[]): TakenPattern | null {
  return (
    taken.find(({ path_pattern }) => {
      const other = parsePattern(path_pattern);
      invariant(other.ok, 'a stored pattern is a valid one');
      return patternsOverlap(pattern, other.value);
    }) ?? null
  );
}
