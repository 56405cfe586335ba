import type { Link } from '../../shared/contract/schemas/link.js';
import { LINK_FIELD_NAMES, type LinkFieldName } from '../../shared/records/link-fields.js';
import { isSameJson } from '../http/canonical-json.js';
import { aliasAddresses, storedAliases } from '../links/aliases.js';
import { textOf } from '../links/give-aliases.js';
import { type LinkView, linkOfRow } from '../links/link-row.js';
import { newLinkRow } from '../links/rules.js';
import { findLinks } from '../links/sql.js';
import type { ImportTarget } from './import-target.js';
import type { PlannedLink } from './plan-link.js';
import { withoutRefused } from './refused-fields.js';

/** A plan, and the link that exists in its place. */
export interface FoundLink {
  readonly plan: PlannedLink;
  /** '' for a link that an earlier batch of a trial would have created; what it would hold is no longer known. */
  readonly id: string;
  /** Null if it has to be read. */
  readonly link: Link | null;
}

/**
 * What each of the links lacks compared to its source: fields that are refused, and fields that differ. The source may have changed since
 * an earlier run, and that run may have ended before it reported what it left out. If a link was changed here, its fields are its owner's
 * and are not compared.
 */
export async function lackingFields(found: readonly FoundLink[], target: ImportTarget): Promise<readonly (readonly string[])[]> {
  const { database, environment, form, linkHost } = target;
  const view: LinkView = { environment: environment.name, linkHost, form, nowMs: target.nowMs() };
  const judged = await withoutRefused(
    found.map(({ plan }) => plan),
    target,
  );
  const unread = found.flatMap(({ id, link }) => (link === null && id !== '' ? id : []));
  const rows = unread.length === 0 ? [] : await findLinks(database, environment.id, unread);
  const stored = new Map(rows.map((row) => [row.id, linkOfRow(row, view)]));
  return judged.map(({ plan, isRefused }, index) => {
    const { id, link } = found[index] as FoundLink;
    const existing = link ?? stored.get(id);
    if (isRefused || existing === undefined || existing.updated_at !== existing.created_at) return plan.lost;
    return [...new Set([...plan.lost, ...differences(plan, existing, view)])];
  });
}

/** Names of the fields that the plan sets and for which the link has another value. Other fields of the link are not compared. */
function differences({ body }: PlannedLink, existing: Link, view: LinkView): readonly string[] {
  const row = newLinkRow(body, { id: existing.id, path: existing.path, nowMs: view.nowMs });
  const wanted = linkOfRow(row, view);
  return LINK_FIELD_NAMES.flatMap((name) => {
    if (body[name] === undefined || body[name] === null) return [];
    if (name === 'password') return existing.has_password ? [] : name;
    if (name === 'tags') return wanted.tags.every((tag) => existing.tags.includes(tag)) ? [] : name;
    if (name === 'aliases') return hasAliases(existing, wanted) ? [] : name;
    return differingMembers(name, wanted[name], existing[name]);
  });
}

function differingMembers(name: Exclude<LinkFieldName, 'password'>, wanted: unknown, existing: unknown): readonly string[] {
  if (name !== 'destinations' && name !== 'card' && name !== 'geo') return isSameJson(wanted, existing) ? [] : [name];
  const has = (existing ?? {}) as Readonly<Record<string, unknown>>;
  const says = Object.entries((wanted ?? {}) as Readonly<Record<string, unknown>>).filter(([, value]) => value !== null);
  return says.flatMap(([member, value]) => (has[member] === value ? [] : `${name}.${member}`));
}

/** If another link had the path, it became an alias, so it need not be the path of this link. */
function hasAliases(existing: Link, wanted: Link): boolean {
  const has = new Set(addressesOf(existing));
  return addressesOf(wanted).every((address) => has.has(address));
}

function addressesOf({ aliases }: Link): readonly string[] {
  return aliasAddresses(storedAliases(aliases)).map(textOf);
}
