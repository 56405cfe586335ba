import Type from 'typebox';
import { oneOf } from './fields.js';
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
      'In CSV a text that a spreadsheet would take for a formula begins with an apostrophe; NDJSON has texts as they are',
    ),
    default: 'csv',
  }),
);

export const exportQuerySchema = Type.Object({ format }, { additionalProperties: false });

export const clickExportQuerySchema = Type.Object(
  {
    format,
    from: Type.Optional(statsDate('First day, in the project’s time zone; six days before `to` if it is absent')),
    to: Type.Optional(statsDate('Last day, which is in the file too; today if it is absent or later')),
  },
  { additionalProperties: false },
);
