import { csvCell } from '../../shared/base/csv-cell.js';
import { uuidToId } from '../../shared/base/ids.js';
import { formatInstant } from '../../shared/base/instant.js';
import type { ExportFormat } from '../../shared/contract/schemas/export.js';

/** A row of the click log as the export's statement answers it. */
export interface ClickRow {
  readonly id: string;
  readonly occurred_at: Date;
  readonly kind: 'link' | 'template';
  readonly subject_id: string;
  readonly resource_type_id: string | null;
  readonly item_id: string | null;
  readonly host: string;
  readonly path: string;
  readonly platform: string;
  readonly os_version: string | null;
  readonly in_app_browser: string | null;
  readonly os: string | null;
  readonly browser: string | null;
  readonly browser_version: string | null;
  readonly bot: boolean;
  readonly bot_reason: string | null;
  readonly country: string | null;
  readonly region: string | null;
  readonly city: string | null;
  readonly source: string | null;
  readonly referrer_host: string | null;
  readonly campaign: string | null;
  readonly utm_source: string | null;
  readonly utm_medium: string | null;
  readonly utm_campaign: string | null;
  readonly utm_term: string | null;
  readonly utm_content: string | null;
  readonly params: string | null;
  readonly params_dropped: boolean;
  readonly destination: string | null;
  readonly user_agent: string | null;
  readonly address_hash: Buffer | null;
  readonly visitor_hash: string;
}

type Value = string | boolean | null;

/** What an export shows of a click, in the order of its columns. Hashes are 16 hexadecimal digits. */
export const EXPORT_COLUMNS: Readonly<Record<string, (row: ClickRow) => Value>> = {
  id: (row) => uuidToId('click', row.id),
  occurred_at: (row) => formatInstant(row.occurred_at.getTime()),
  kind: (row) => row.kind,
  link: (row) => (row.kind === 'link' ? uuidToId('link', row.subject_id) : null),
  url_template: (row) => (row.kind === 'template' ? uuidToId('urlTemplate', row.subject_id) : null),
  resource_type: (row) => (row.resource_type_id === null ? null : uuidToId('resourceType', row.resource_type_id)),
  item_id: (row) => row.item_id,
  host: (row) => row.host,
  path: (row) => row.path,
  platform: (row) => row.platform,
  os_version: (row) => row.os_version,
  in_app_browser: (row) => row.in_app_browser,
  os: (row) => row.os,
  browser: (row) => row.browser,
  browser_version: (row) => row.browser_version,
  bot: (row) => row.bot,
  bot_reason: (row) => row.bot_reason,
  country: (row) => row.country,
  region: (row) => row.region,
  city: (row) => row.city,
  source: (row) => row.source ?? 'link',
  referrer_host: (row) => row.referrer_host,
  campaign: (row) => row.campaign,
  utm_source: (row) => row.utm_source,
  utm_medium: (row) => row.utm_medium,
  utm_campaign: (row) => row.utm_campaign,
  utm_term: (row) => row.utm_term,
  utm_content: (row) => row.utm_content,
  params: (row) => row.params,
  params_dropped: (row) => row.params_dropped,
  destination: (row) => row.destination,
  user_agent: (row) => row.user_agent,
  address_hash: (row) => row.address_hash?.toString('hex') ?? null,
  visitor_hash: (row) => BigInt.asUintN(64, BigInt(row.visitor_hash)).toString(16).padStart(16, '0'),
};

const COLUMNS = Object.entries(EXPORT_COLUMNS);

/** What an export of the format begins with. */
export function headOf(format: ExportFormat): string {
  return format === 'csv' ? `${COLUMNS.map(([name]) => name).join(',')}\r\n` : '';
}

/** One click as a line of the format. */
export function lineOf(row: ClickRow, format: ExportFormat): string {
  if (format === 'ndjson') return `${JSON.stringify(Object.fromEntries(COLUMNS.map(([name, read]) => [name, read(row)])))}\n`;
  return `${COLUMNS.map(([, read]) => csvCell(read(row))).join(',')}\r\n`;
}
