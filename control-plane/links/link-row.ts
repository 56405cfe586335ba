import { formatInstant } from '../../shared/base/instant.js';
import type { Link, LinkStatus } from '../../shared/contract/schemas/link.js';
import { destinationsFromJson } from '../../shared/feed/codec.js';
import { LINK_FIELD_NAMES, type LINK_FIELDS, type LinkFieldName } from '../../shared/records/link-fields.js';
import type { EnvironmentName, LinkAlias, LinkCard, LinkState } from '../../shared/records/records.js';
import { type LinkUrlForm, originOf } from '../../shared/resolve/link-origin.js';
import { linkState } from '../../shared/resolve/link-state.js';
import type { StoredDestinations } from '../destinations/destination.js';
import type { GeoDestinations } from './geo.js';

interface ColumnValues {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly boolean: boolean;
  readonly destinations: StoredDestinations;
  readonly card: LinkCard;
  readonly tags: readonly string[];
  readonly aliases: readonly LinkAlias[];
  readonly timestamptz: Date;
  readonly integer: number;
  /** The hash of the password. */
  readonly password: string;
  readonly geo: GeoDestinations;
}

/** The fields that are never null. */
type FieldWithDefault = {
  [Name in LinkFieldName]: (typeof LINK_FIELDS)[Name] extends { default: unknown } ? Name : never;
}[LinkFieldName];

/** The fields of `LINK_FIELDS` as they are stored. */
export type StoredLinkFields = {
  readonly [Name in LinkFieldName]: ColumnValues[(typeof LINK_FIELDS)[Name]['type']] | (Name extends FieldWithDefault ? never : null);
};

/** A row of `links` as its statements read and write it. */
export interface LinkRow extends StoredLinkFields {
  readonly id: string;
  readonly path: string;
  readonly state: Exclude<LinkState, 'deleted'>;
  /** Whether the link is shown on its domain: if the domain is verified, or if the link host has the alias of another link at the path. */
  readonly shown_on_domain: boolean;
  /** When the last of `max_clicks` was used; null while some are left. */
  readonly used_up_at: Date | null;
  /** The name that the key which created it had at that time; null for links created before this was recorded. */
  readonly created_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export function linkUrl(form: LinkUrlForm, host: string, path: string): string {
  return `${originOf(form, host)}/${path}`;
}

/**
 * `expired` and `scheduled` are not stored. A disabled or blocked link keeps that status whatever its times, as visits see it
 * (shared/resolve/link-state.ts).
 */
export function linkStatus({ state, expires_at, active_from, used_up_at }: TimedRow, nowMs: number): LinkStatus {
  const times = { active_from_ms: active_from?.getTime() ?? 0, used_up: used_up_at !== null };
  // 0 means no end, so an end in 1970 becomes 1, as in the feed.
  const expires_at_ms = expires_at === null ? 0 : Math.max(1, expires_at.getTime());
  return linkState({ state, expires_at_ms }, times, nowMs) as LinkStatus;
}

type TimedRow = Pick<LinkRow, 'state' | 'expires_at' | 'active_from' | 'used_up_at'>;

export interface LinkView {
  readonly environment: EnvironmentName;
  readonly linkHost: string;
  readonly form: LinkUrlForm;
  readonly nowMs: number;
}

/** A field as the API shows it. */
function shown(name: LinkFieldName, row: StoredLinkFields): unknown {
  const value = row[name];
  if (value instanceof Date) return formatInstant(value.getTime());
  return name === 'destinations' ? destinationsFromJson(row.destinations) : value;
}

/** The host of the URL that a link is shown with. */
export function shownHost({ domain, shown_on_domain }: Pick<LinkRow, 'domain' | 'shown_on_domain'>, linkHost: string): string {
  return domain !== null && shown_on_domain ? domain : linkHost;
}

/** The link as the API and its events show it. They say whether it has a password, and do not show it. */
export function linkOfRow(row: LinkRow, view: LinkView): Link {
  const link: Record<string, unknown> = {
    id: row.id,
    url: linkUrl(view.form, shownHost(row, view.linkHost), row.path),
    environment: view.environment,
    path: row.path,
    status: linkStatus(row, view.nowMs),
  };
  // One by one, not from entries or another object, because a call shows a thousand of these.
  for (const name of LINK_FIELD_NAMES)
    if (name === 'password') link.has_password = row.password !== null;
    else link[name] = shown(name, row);
  link.created_by = row.created_by;
  link.created_at = formatInstant(row.created_at.getTime());
  link.updated_at = formatInstant(row.updated_at.getTime());
  return link as unknown as Link;
}
