import type { Link } from '../../../../shared/contract/schemas/link.js';
import { csvField } from '../../format/csv.js';
import { COLUMNS } from './link-columns.js';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Columns that only a file of links that exist has. */
const MORE_COLUMNS: Readonly<Record<string, string>> = { status: '/status', url: '/url', id: '/id' };

/** A password is not shown, and so cannot be written. */
const { password: _, ...SHOWN_COLUMNS } = COLUMNS;

const COLUMNS_WRITTEN = { ...SHOWN_COLUMNS, ...MORE_COLUMNS };

/** The links as a file, which `linkd import csv` and `linkd import ndjson` read. NDJSON has them as the API shows them. */
export function exportFile(links: readonly Link[], format: ExportFormat): Blob {
  if (format === 'ndjson')
    return new Blob(
      links.map((link) => `${JSON.stringify(link)}\n`),
      { type: 'application/x-ndjson' },
    );
  const pointers = Object.values(COLUMNS_WRITTEN);
  const lines = links.map((link) => pointers.map((pointer) => csvField(textAt(link, pointer))).join(','));
  return new Blob([[Object.keys(COLUMNS_WRITTEN).join(','), ...lines, ''].join('\r\n')], { type: 'text/csv' });
}

/** What a cell shows of the member: lists with commas between their items, as imports read them, and any other object as JSON. */
function textAt(link: Link, pointer: string): string {
  if (pointer === '/tags') return link.tags.join(', ');
  if (pointer === '/aliases') return link.aliases.map(({ host, path }) => `${host}/${path}`).join(', ');
  let value: unknown = link;
  for (const name of pointer.slice(1).split('/')) value = (value as Readonly<Record<string, unknown>> | null)?.[name];
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
