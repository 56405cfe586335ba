import { formatInstant } from '../../shared/base/instant.js';
import type { Link, LinkStatus } from '../../shared/contract/schemas/link.js';
import type { LinkState } from '../../shared/records/records.js';
import type { StoredDestinations } from '../destinations/destination.js';

/** A row of `links` as its statements read and write it. */
export interface LinkRow {
  readonly id: string;
  readonly path: string;
  readonly state: Exclude<LinkState, 'deleted'>;
  readonly deep_link_path: string;
  readonly data: Record<string, unknown> | null;
  readonly campaign: string | null;
  readonly utm_source: string | null;
  readonly utm_medium: string | null;
  readonly utm_campaign: string | null;
  readonly utm_term: string | null;
  readonly utm_content: string | null;
  readonly allow_param_passthrough: boolean;
  readonly destinations: StoredDestinations;
  /** The custom host the link was made for. */
  readonly domain: string | null;
  /** Whether that host is a verified domain of the environment now: only then is the link shown on it. */
  readonly domain_verified: boolean;
  readonly expires_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** How short URLs are shown. */
export interface LinkUrlForm {
  readonly scheme: 'http' | 'https';
  /** 0 leaves it out. */
  readonly port: number;
}

export function linkUrl(form: LinkUrlForm, host: string, path: string): string {
  const usual = form.scheme === 'https' ? 443 : 80;
  const port = form.port === 0 || form.port === usual ? '' : `:${form.port}`;
  return `${form.scheme}://${host}${port}/${path}`;
}

/** `expired` is no stored state; a link that is disabled or blocked stays so whatever its expiry. */
export function linkStatus(row: Pick<LinkRow, 'state' | 'expires_at'>, nowMs: number): LinkStatus {
  if (row.state !== 'active') return row.state;
  return row.expires_at !== null && row.expires_at.getTime() <= nowMs ? 'expired' : 'active';
}

export interface LinkView {
  readonly environment: 'test' | 'live';
  readonly linkHost: string;
  readonly form: LinkUrlForm;
  readonly nowMs: number;
}

/** The link as the API and its events show it. */
export function linkOfRow(row: LinkRow, view: LinkView): Link {
  const { destinations } = row;
  return {
    id: row.id,
    url: linkUrl(view.form, row.domain !== null && row.domain_verified ? row.domain : view.linkHost, row.path),
    environment: view.environment,
    path: row.path,
    status: linkStatus(row, view.nowMs),
    deep_link_path: row.deep_link_path,
    data: row.data,
    campaign: row.campaign,
    utm_source: row.utm_source,
    utm_medium: row.utm_medium,
    utm_campaign: row.utm_campaign,
    utm_term: row.utm_term,
    utm_content: row.utm_content,
    allow_param_passthrough: row.allow_param_passthrough,
    destinations: {
      ios: destinations.ios ?? null,
      android: destinations.android ?? null,
      web: destinations.web ?? null,
      desktop: destinations.desktop ?? null,
      fallback: destinations.fallback ?? null,
    },
    domain: row.domain,
    expires_at: row.expires_at === null ? null : formatInstant(row.expires_at.getTime()),
    created_at: formatInstant(row.created_at.getTime()),
    updated_at: formatInstant(row.updated_at.getTime()),
  };
}
