import { csvCell } from '../../shared/base/csv-cell.js';
import { uuidToId } from '../../shared/base/ids.js';
import { formatInstant } from '../../shared/base/instant.js';
import type { ExportFormat } from '../../shared/contract/schemas/export.js';
import { UTM_FIELDS } from '../../shared/records/records.js';
import type { StreamedRow } from './streamed.js';

/** A row of the click log as the export's statement returns it. */
export interface ClickRow extends Omit<StreamedRow, 'batch_id'> {
  readonly user_agent: string | null;
  readonly address_hash: Buffer | null;
  readonly visitor_hash: string;
}

/** A row of the log with the key of its resource type. */
export interface ExportedClick extends ClickRow {
  readonly resource_type: string | null;
}

type Column = (row: ExportedClick) => string | boolean | null;

/** Columns that show members of the row as they are. */
function asStored(...names: readonly Exclude<keyof ExportedClick, 'occurred_at' | 'address_hash'>[]): Readonly<Record<string, Column>> {
  return Object.fromEntries(names.map((name) => [name, (row: ExportedClick) => row[name]]));
}

/** The columns of an export, in order. Hashes are 16 hexadecimal digits. */
export const EXPORT_COLUMNS: Readonly<Record<string, Column>> = {
  id: (row) => uuidToId('click', row.id),
  occurred_at: (row) => formatInstant(row.occurred_at.getTime()),
  kind: (row) => row.kind,
  link: (row) => (row.kind === 'link' ? uuidToId('link', row.subject_id) : null),
  url_template: (row) => (row.kind === 'template' ? uuidToId('urlTemplate', row.subject_id) : null),
  ...asStored('resource_type', 'item_id', 'host', 'path', 'platform', 'os_version', 'in_app_browser', 'os', 'browser', 'browser_version'),
  ...asStored('bot', 'bot_reason', 'country', 'region', 'city'),
  source: (row) => row.source ?? 'link',
  ...asStored('referrer_host', 'campaign', ...UTM_FIELDS, 'params', 'params_dropped', 'destination', 'user_agent'),
  address_hash: (row) => row.address_hash?.toString('hex') ?? null,
  visitor_hash: (row) => BigInt.asUintN(64, BigInt(row.visitor_hash)).toString(16).padStart(16, '0'),
};

const COLUMNS = Object.entries(EXPORT_COLUMNS);

/** The head with which an export of the format begins. */
export function headOf(format: ExportFormat): string {
  return format === 'csv' ? `${COLUMNS.map(([name]) => name).join(',')}\r\n` : '';
}

/** Formats a click as a line. */
export function lineOf(row: ExportedClick, format: ExportFormat): string {
  if (format === 'ndjson') return `${JSON.stringify(Object.fromEntries(COLUMNS.map(([name, read]) => [name, read(row)])))}\n`;
  return `${COLUMNS.map(([, read]) => csvCell(read(row))).join(',')}\r\n`;
}
