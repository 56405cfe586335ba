import { parseInstant } from '../../shared/base/instant.js';
import type { LinkCreate, LinkPatch } from '../../shared/contract/schemas/link.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { DESTINATION_SLOTS, UTM_FIELDS } from '../../shared/records/records.js';
import { dataIssues } from '../../shared/resolve/data-rules.js';
import { reservedAddress } from '../../shared/resolve/link-addresses.js';
import { type OwnSchemes, storedDestination } from '../../shared/resolve/stored-destination.js';
import { patchedDestinations } from '../destinations/destination.js';
import { bodyErrors } from '../http/issue-errors.js';
import { fieldError } from '../http/problems.js';
import type { LinkRow } from './link-row.js';

/** Whether the link hosts answer the path themselves: a link there could never be reached. */
export function isReservedPath(path: string): boolean {
  return reservedAddress(`/${path}`) !== null;
}

/** The rules of a link's fields that its schema cannot say. Looks only at values of the right type. */
export function linkFieldErrors(body: Readonly<Record<string, unknown>>, ownSchemes: OwnSchemes): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { path, data, destinations } = body;
  if (typeof path === 'string' && isReservedPath(path))
    errors.push(fieldError('body', '/path', 'reserved', 'is a path that the service answers itself'));
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) errors.push(...bodyErrors(dataIssues(data, '/data')));
  if (typeof destinations === 'object' && destinations !== null)
    for (const slot of DESTINATION_SLOTS) {
      const given = (destinations as Record<string, unknown>)[slot];
      if (typeof given !== 'string') continue;
      const outcome = storedDestination(given, slot, ownSchemes);
      if (outcome.kind === 'refused') errors.push(fieldError('body', `/destinations/${slot}`, outcome.code, outcome.detail));
    }
  return errors;
}

/** The row of a link to make, from a body that passed its schema and `linkFieldErrors`. */
export function newLinkRow(body: LinkCreate, identity: { readonly id: string; readonly path: string; readonly nowMs: number }): LinkRow {
  const created = new Date(identity.nowMs);
  return {
    id: identity.id,
    path: identity.path,
    state: 'active',
    deep_link_path: body.deep_link_path ?? '/',
    data: body.data ?? null,
    campaign: body.campaign ?? null,
    utm_source: body.utm_source ?? null,
    utm_medium: body.utm_medium ?? null,
    utm_campaign: body.utm_campaign ?? null,
    utm_term: body.utm_term ?? null,
    utm_content: body.utm_content ?? null,
    allow_param_passthrough: body.allow_param_passthrough ?? false,
    destinations: patchedDestinations({}, body.destinations, storedDestination),
    domain: body.domain ?? null,
    // A domain that was sent was looked up among the verified ones.
    domain_verified: true,
    expires_at: instantOrNull(body.expires_at ?? null),
    created_at: created,
    updated_at: created,
  };
}

/** The row after a change: an absent field keeps its value, null clears it. `updated_at` is left to the caller. */
export function patchedLinkRow(row: LinkRow, patch: LinkPatch): LinkRow {
  return {
    ...row,
    state: patch.status ?? row.state,
    deep_link_path: patch.deep_link_path ?? row.deep_link_path,
    data: keepIfAbsent(patch.data, row.data),
    campaign: keepIfAbsent(patch.campaign, row.campaign),
    utm_source: keepIfAbsent(patch.utm_source, row.utm_source),
    utm_medium: keepIfAbsent(patch.utm_medium, row.utm_medium),
    utm_campaign: keepIfAbsent(patch.utm_campaign, row.utm_campaign),
    utm_term: keepIfAbsent(patch.utm_term, row.utm_term),
    utm_content: keepIfAbsent(patch.utm_content, row.utm_content),
    allow_param_passthrough: patch.allow_param_passthrough ?? row.allow_param_passthrough,
    destinations: patchedDestinations(row.destinations, patch.destinations, storedDestination),
    domain: keepIfAbsent(patch.domain, row.domain),
    domain_verified: patch.domain === undefined ? row.domain_verified : true,
    expires_at: patch.expires_at === undefined ? row.expires_at : instantOrNull(patch.expires_at),
  };
}

function keepIfAbsent<Value>(given: Value | undefined, kept: Value): Value {
  return given === undefined ? kept : given;
}

function instantOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(parseInstant(text) as number);
}

const COMPARED_FIELDS = ['deep_link_path', 'campaign', ...UTM_FIELDS, 'allow_param_passthrough', 'domain'] as const;

/** Names of the fields whose value differs, `status` for the state. */
export function changedFields(before: LinkRow, after: LinkRow): readonly string[] {
  const changed: string[] = COMPARED_FIELDS.filter((field) => before[field] !== after[field]);
  if (before.expires_at?.getTime() !== after.expires_at?.getTime()) changed.push('expires_at');
  for (const field of ['data', 'destinations'] as const)
    if (JSON.stringify(before[field]) !== JSON.stringify(after[field])) changed.push(field);
  if (before.state !== after.state) changed.push('status');
  return changed;
}
