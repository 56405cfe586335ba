import { parseInstant } from '../../shared/base/instant.js';
import type { LinkCreate, LinkPatch } from '../../shared/contract/schemas/link.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { asciiHostName } from '../../shared/net/host-name.js';
import { LINK_FIELD_NAMES, LINK_FIELDS, type LinkFieldName } from '../../shared/records/link-fields.js';
import { DESTINATION_SLOTS } from '../../shared/records/records.js';
import { dataIssues } from '../../shared/resolve/data-rules.js';
import { reservedAddress } from '../../shared/resolve/link-addresses.js';
import { type OwnSchemes, type StoreDestination, storedDestination } from '../../shared/resolve/stored-destination.js';
import { hashPassword } from '../../shared/secrets/password-hash.js';
import { patchedDestinations } from '../destinations/destination.js';
import { isSameJson } from '../http/canonical-json.js';
import { bodyErrors } from '../http/issue-errors.js';
import { fieldError } from '../http/problems.js';
import { storedAliases } from './aliases.js';
import { IMAGE_POINTER, imageOf, patchedCard } from './card.js';
import { geoErrors, storedGeo } from './geo.js';
import type { LinkRow, StoredLinkFields } from './link-row.js';

/** Whether the link hosts answer the path themselves, so that a link there could never be reached. */
export function isReservedPath(path: string): boolean {
  return reservedAddress(`/${path}`) !== null;
}

/** Checks the rules for a link's fields that its schema cannot express. Looks only at values of the right type. */
export function linkFieldErrors(
  body: Readonly<Record<string, unknown>>,
  {
    ownSchemes,
    nowMs,
    store = storedDestination,
  }: { readonly ownSchemes: OwnSchemes; readonly nowMs: number; readonly store?: StoreDestination },
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { path, data, destinations, card, created_at } = body;
  if (typeof path === 'string' && isReservedPath(path))
    errors.push(fieldError('body', '/path', 'reserved', 'is a path that the service uses itself'));
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) errors.push(...bodyErrors(dataIssues(data, '/data')));
  if (typeof destinations === 'object' && destinations !== null)
    for (const slot of DESTINATION_SLOTS) {
      const given = (destinations as Record<string, unknown>)[slot];
      if (typeof given !== 'string') continue;
      const outcome = store(given, slot, ownSchemes);
      if (outcome.kind === 'refused') errors.push(fieldError('body', `/destinations/${slot}`, outcome.code, outcome.detail));
    }
  const createdMs = typeof created_at === 'string' ? parseInstant(created_at) : null;
  if (createdMs !== null && (createdMs < 0 || createdMs > nowMs))
    errors.push(fieldError('body', '/created_at', createdMs < 0 ? 'too_small' : 'too_large', 'must be a time between 1970 and now'));
  errors.push(...geoErrors(body.geo));
  const image = imageOf(card);
  if (image?.kind === 'refused') errors.push(fieldError('body', IMAGE_POINTER, image.code, image.detail));
  return errors;
}

/** When a new link was created: now, or, if it was created elsewhere, at the time that its body names. */
export function createdAtMs({ created_at }: LinkCreate, nowMs: number): number {
  return created_at === undefined ? nowMs : (parseInstant(created_at) as number);
}

/** The row of a new link, from a body that passed its schema and `linkFieldErrors` and whose password is hashed. */
export function newLinkRow(
  body: LinkCreate,
  identity: {
    readonly id: string;
    readonly path: string;
    readonly nowMs: number;
    readonly state?: LinkRow['state'];
    readonly createdBy?: string;
  },
  store: StoreDestination = storedDestination,
): LinkRow {
  const created = new Date(createdAtMs(body, identity.nowMs));
  return {
    id: identity.id,
    path: identity.path,
    state: identity.state ?? 'active',
    ...changedBy(body, DEFAULTS, store),
    // `linkErrors` has checked that a domain in the body is verified.
    shown_on_domain: true,
    used_up_at: null,
    created_by: identity.createdBy ?? null,
    created_at: created,
    updated_at: created,
  };
}

/** The body with its password replaced by the hash. */
export async function withHashedPassword<Body extends { readonly password?: string | null }>(body: Body): Promise<Body> {
  return typeof body.password === 'string' ? { ...body, password: await hashPassword(body.password) } : body;
}

/** The row after a change whose password is hashed: an absent field keeps its value, null clears it. The caller sets `updated_at`. */
export function patchedLinkRow(row: LinkRow, patch: LinkPatch): LinkRow {
  const fields = changedBy(patch, row, storedDestination);
  return {
    ...row,
    state: patch.status ?? row.state,
    ...fields,
    // `linkErrors` has checked that another domain is verified.
    shown_on_domain: fields.domain === row.domain ? row.shown_on_domain : true,
  };
}

/** The fields of a link whose body sets none of them. */
const DEFAULTS = Object.fromEntries(
  LINK_FIELD_NAMES.map((name) => [name, 'default' in LINK_FIELDS[name] ? LINK_FIELDS[name].default : null]),
) as unknown as StoredLinkFields;

/** The fields after a change: an absent one keeps its value, null clears it. */
function changedBy(given: Partial<Pick<LinkPatch, LinkFieldName>>, kept: StoredLinkFields, store: StoreDestination): StoredLinkFields {
  const valueAfter = (name: LinkFieldName): unknown => {
    if (name === 'destinations') return patchedDestinations(kept.destinations, given.destinations, store);
    if (name === 'card') return patchedCard(kept.card, given.card);
    if (given[name] === undefined) return kept[name];
    if (given[name] === null) return DEFAULTS[name];
    if (name === 'aliases') return storedAliases(given.aliases ?? []);
    if (name === 'geo') return storedGeo(given.geo ?? {});
    if (name === 'domain') return asciiHostName(given.domain as string);
    return LINK_FIELDS[name].type === 'timestamptz' ? new Date(parseInstant(given[name] as string) as number) : given[name];
  };
  // Not built from entries, because a call makes a thousand of these.
  const fields: Record<string, unknown> = {};
  for (const name of LINK_FIELD_NAMES) fields[name] = valueAfter(name);
  return fields as unknown as StoredLinkFields;
}

/** Names of the fields whose value differs, `status` for the state. */
export function changedFields(before: LinkRow, after: LinkRow): readonly string[] {
  const changed: string[] = LINK_FIELD_NAMES.filter((name) => !isSameJson(before[name], after[name]));
  if (before.state !== after.state) changed.push('status');
  return changed;
}
