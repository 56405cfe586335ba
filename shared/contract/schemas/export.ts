import Type from 'typebox';
import { EXPORTED_IDS_MAX } from '../../base/export-limits.js';
import { closedObject, oneOf } from './fields.js';
import { linkFilterQuery } from './link-list.js';
import { statsDate } from './stats.js';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Media types by format. */
export const EXPORT_TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const satisfies Record<
  ExportFormat,
  string
>;
export type ExportMediaType = (typeof EXPORT_TYPES)[ExportFormat];

const format = Type.Optional(
  Type.Unsafe<ExportFormat>({
    ...oneOf(
      EXPORT_FORMATS,
      'In CSV, a text that a spreadsheet would read as a formula is preceded by an apostrophe. In NDJSON texts are unchanged',
    ),
    default: 'csv',
  }),
);

export const exportQuerySchema = closedObject({ format });

export const linkExportQuerySchema = closedObject({
  format,
  ...linkFilterQuery,
  archived: Type.Optional(
    Type.Boolean({ description: '`true`: only archived links; `false`: only links that are not archived; absent: both' }),
  ),
  ids: Type.Optional(
    Type.String({
      pattern: `^lnk_[0-9a-z]{26}(?:,lnk_[0-9a-z]{26}){0,${EXPORTED_IDS_MAX - 1}}$`,
      description: `Only links with these ids, separated by commas: ${EXPORTED_IDS_MAX} at most`,
      examples: ['lnk_01jd4v6xq8e5s0m3k7n9p2r4tw'],
    }),
  ),
});

export const clickExportQuerySchema = closedObject({
  format,
  from: Type.Optional(statsDate('First day, in the project’s time zone; by default six days before `to`')),
  to: Type.Optional(statsDate('Last day, inclusive; today if it is absent or in the future')),
});
