import { formatInstant } from '../../shared/base/instant.js';
import type { Environment } from '../../shared/contract/schemas/environment.js';
import { destinationsFromJson } from '../../shared/feed/codec.js';
import type { AndroidApp, EnvironmentName, IosApp } from '../../shared/records/records.js';
import { type LinkUrlForm, originOf } from '../../shared/resolve/link-origin.js';
import type { StoredDestinations } from '../destinations/destination.js';
import type { StoredBrand } from './brand.js';

/** The settings of an environment as its statements read and write them. */
export interface EnvironmentSettings {
  readonly open_host: string;
  readonly interstitial: boolean;
  readonly default_destinations: StoredDestinations;
  readonly ios_apps: readonly (Pick<IosApp, 'team_id' | 'bundle_id'> & Partial<IosApp>)[];
  readonly android_apps: readonly (Pick<AndroidApp, 'package_name' | 'sha256_cert_fingerprints'> & Partial<AndroidApp>)[];
  readonly web_origins: readonly string[];
  readonly attribution_window_minutes: number;
  readonly append_click_id: boolean;
  readonly brand: StoredBrand;
  readonly long_link_hosts: readonly string[];
  readonly long_link_path: string | null;
}

/** A row of `environments`, with columns of its project. */
export interface EnvironmentRow extends EnvironmentSettings {
  readonly id: string;
  readonly name: EnvironmentName;
  readonly project_id: string;
  readonly project_name: string;
  readonly time_zone: string;
  readonly link_host: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The environment as the API shows it. */
export function environmentOfRow(row: EnvironmentRow, form: LinkUrlForm): Environment {
  return {
    id: row.id,
    name: row.name,
    project: { id: row.project_id, name: row.project_name, time_zone: row.time_zone },
    link_host: row.link_host,
    link_origin: originOf(form, row.link_host),
    open_host: row.open_host,
    interstitial: row.interstitial,
    default_destinations: destinationsFromJson(row.default_destinations),
    ios_apps: row.ios_apps.map(({ team_id, bundle_id, app_store_url, uri_scheme }) => ({
      team_id,
      bundle_id,
      app_store_url: app_store_url ?? null,
      uri_scheme: uri_scheme ?? null,
    })),
    android_apps: row.android_apps.map(({ package_name, sha256_cert_fingerprints, play_store_url, uri_scheme }) => ({
      package_name,
      sha256_cert_fingerprints: [...sha256_cert_fingerprints],
      play_store_url: play_store_url ?? null,
      uri_scheme: uri_scheme ?? null,
    })),
    web_origins: [...row.web_origins],
    attribution_window_minutes: row.attribution_window_minutes,
    append_click_id: row.append_click_id,
    brand: {
      name: row.brand.name ?? null,
      color: row.brand.color ?? null,
      logo: row.brand.logo ?? null,
      support_url: row.brand.support_url ?? null,
    },
    long_link_hosts: [...row.long_link_hosts],
    long_link_path: row.long_link_path,
    created_at: formatInstant(row.created_at.getTime()),
    updated_at: formatInstant(row.updated_at.getTime()),
  };
}
