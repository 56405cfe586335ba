import { pino } from 'pino';
import type { TableInput } from '../../engine/config/stored-table.js';
import type { Facts } from '../../engine/http/facts.js';
import type { Click, ClickSink, ClickTexts } from '../../engine/spool/click.js';
import { compileTable } from '../../engine/visit/compile-table.js';
import { type ItemTarget, type LinkTarget, locate } from '../../engine/visit/locate.js';
import type { Table } from '../../engine/visit/table.js';
import { invariant } from '../../shared/base/invariant.js';
import type {
  Destinations,
  DomainRecord,
  EnvironmentRecord,
  LinkRecord,
  ResourceTypeRecord,
  TemplateRecord,
} from '../../shared/records/records.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import { newClickId } from '../../shared/secrets/click-id-keys.js';
import { TEST_SPOOL_KEYS } from '../support/spool-keys.js';

export const NO_DESTINATIONS: Destinations = { ios: null, android: null, web: null, desktop: null, fallback: null };

export function environmentRecord(changes: Partial<EnvironmentRecord> = {}): EnvironmentRecord {
  return {
    id: 'env_01jd0000000000000000000000',
    number: 1,
    name: 'live',
    project_name: 'Shop & Co',
    link_host: 'go.shop.example',
    open_host: 'open.go.shop.example',
    alias_hosts: [],
    interstitial: true,
    default_destinations: { ...NO_DESTINATIONS, web: 'https://shop.example/' },
    ios_apps: [],
    android_apps: [],
    attribution_window_minutes: 120,
    append_click_id: false,
    brand: null,
    long_link_hosts: [],
    long_link_path: null,
    ...changes,
  };
}

export function linkRecord(changes: Partial<LinkRecord> = {}): LinkRecord {
  return {
    id: 'lnk_01jd0000000000000000000000',
    state: 'active',
    expires_at_ms: 0,
    deep_link_path: '/product/1',
    data: null,
    campaign: null,
    utm: null,
    allow_param_passthrough: false,
    destinations: NO_DESTINATIONS,
    card: null,
    rules: null,
    ...changes,
  };
}

export function resourceTypeRecord(changes: Partial<ResourceTypeRecord> = {}): ResourceTypeRecord {
  return { id: 'rt_01jd0000000000000000000000', environment_number: 1, key: 'product', state: 'active', ...changes };
}

export function domainRecord(changes: Partial<DomainRecord> = {}): DomainRecord {
  return {
    id: 'dom_01jd0000000000000000000000',
    environment_number: 1,
    hostname: 'go.brand.example',
    case_insensitive: false,
    root_url: null,
    not_found_url: null,
    expired_url: null,
    ...changes,
  };
}

export function templateRecord(changes: Partial<TemplateRecord> = {}): TemplateRecord {
  return {
    id: 'tpl_01jd0000000000000000000000',
    environment_number: 1,
    resource_type_id: 'rt_01jd0000000000000000000000',
    state: 'active',
    path_pattern: '/p/{id}',
    id_format: { kind: 'preset', preset: 'numeric' },
    deep_link_path: '/{type}/{id}',
    redirects: NO_DESTINATIONS,
    allow_param_passthrough: false,
    ...changes,
  };
}

/** The time of the click whose id `KeptClicks` gives out. */
export const CLICKED_AT_MS = 1_731_945_562_112;
export const CLICK_ID = newClickId(TEST_SPOOL_KEYS.clickIds, CLICKED_AT_MS);

function copyTexts({ bytes, ...at }: ClickTexts): Pick<Click, 'subject_id' | 'path' | 'destination'> {
  const text = (start: number, end: number): string => Buffer.from(bytes.subarray(start, end)).toString('latin1');
  return {
    subject_id: text(at.id_start, at.id_end),
    path: text(at.path_start, at.path_end),
    destination: text(at.destination_start, at.destination_end),
  };
}

/** A spool that keeps a copy of each click, because the redirect path passes the same object again and again. */
export class KeptClicks implements ClickSink {
  readonly clicks: Click[] = [];
  /** What the next call does instead of storing the click. */
  fault: (() => boolean) | null = null;

  append(click: Click): boolean {
    if (this.fault !== null) return this.fault();
    const { texts } = click;
    this.clicks.push(texts === null ? { ...click } : { ...click, ...copyTexts(texts), texts: null });
    return true;
  }

  nextId(): string {
    return CLICK_ID;
  }
}

export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
export const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.6422.53 Mobile Safari/537.36';
export const DESKTOP = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36';
export const PREVIEW = 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)';

export const silentLog = pino({ level: 'silent' });

/** Returns the target of a request for a link's path. */
export function locateLink(facts: Facts, table: Table): LinkTarget {
  const target = locate(facts, table);
  invariant(target.kind === 'link', 'the path is that of a link');
  return target;
}

/** Returns the target of a request for a path that fits a template's pattern. */
export function locateItem(facts: Facts, table: Table): ItemTarget {
  const target = locate(facts, table);
  invariant(target.kind === 'template', 'the path fits a pattern');
  return target;
}

/** The input of a table with these lists, and none of what is not given. */
export function tableInput(lists: Partial<TableInput>): TableInput {
  return { environments: [], resource_types: [], templates: [], campaigns: [], domains: [], metadata_apis: [], complete: true, ...lists };
}

/** The form of links without a port. */
export const HTTPS: LinkUrlForm = { scheme: 'https', port: 0 };

/** Compiles the table of these lists. */
export function tableOf(lists: Partial<TableInput>, address: LinkUrlForm = HTTPS): Table {
  return compileTable(tableInput(lists), address);
}
