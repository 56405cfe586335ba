import Type from 'typebox';
import { IMPORT_CELL_CHARACTERS_MAX, IMPORT_COLUMNS_MAX, IMPORT_DOMAINS_MAX, IMPORT_ROWS_MAX } from '../../base/limits.js';
import { closedObject, count, nullable, oneOf, text } from './fields.js';

/** Sources that are files, read row by row. The command line reads those of an API. */
export const FILE_SOURCES = ['firebase', 'bitly', 'dub', 'csv', 'ndjson'] as const;
export type FileSource = (typeof FILE_SOURCES)[number];

export const COLLISIONS = ['fail', 'skip', 'alias'] as const;
/** What to do with a link whose path another link has. */
export type Collision = (typeof COLLISIONS)[number];

export const IMPORT_OUTCOMES = ['created', 'aliased', 'exists', 'skipped', 'failed'] as const;
/** `exists`: an earlier run has created it. `aliased`: its path was taken, and an alias leads to it. */
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];

const host = (description: string) => Type.String({ minLength: 1, maxLength: 255, description });

export const importLinksSchema = closedObject(
  {
    source: oneOf(
      FILE_SOURCES,
      'Where the file comes from: an export of Firebase Dynamic Links, Bitly or Dub, or a file with the columns (`csv`) or the members (`ndjson`) of `GET /exports/links`',
    ),
    columns: Type.Optional(
      Type.Array(Type.String({ maxLength: IMPORT_CELL_CHARACTERS_MAX }), {
        minItems: 1,
        maxItems: IMPORT_COLUMNS_MAX,
        description: 'Names of the columns, as in the header of the file. Required unless `source` is `ndjson`.',
      }),
    ),
    rows: Type.Array(Type.Unsafe<unknown>({}), {
      minItems: 1,
      maxItems: IMPORT_ROWS_MAX,
      description:
        'Rows of the file: lists of cells in the order of `columns`, or, if `source` is `ndjson`, objects or their lines as text. An integer that cannot be represented exactly is not imported.',
    }),
    first_row: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 1,
        description:
          'Number of the first of these rows in the file, counted from 1 without the header. The path of a row without an address is derived from its number and content, so that a later call finds the link again.',
      }),
    ),
    dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Return what would happen to each row, and create no link.' })),
    on_collision: Type.Optional(
      Type.Unsafe<Collision>({
        ...oneOf(
          COLLISIONS,
          'What to do with a link whose path another link has: fail, skip it, or give it an alias. The alias is on the host that replaces the old host by `domains`, or on the old host itself if that is a verified domain. No alias is possible if the other link is shown on that host',
        ),
        default: 'fail',
      }),
    ),
    case_sensitive: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'For `dub`: keys that differ in case only are different links, a setting that Dub has for domains. Otherwise the path of a link is its key in lower case, and the key as Dub shows it becomes an alias.',
      }),
    ),
    domains: Type.Optional(
      Type.Array(
        closedObject({
          from: host('Host of the other service, such as `bit.ly`'),
          to: host('The link host of the environment, or a verified domain of it'),
        }),
        {
          maxItems: IMPORT_DOMAINS_MAX,
          description:
            'Hosts that replace those of the other service. A host that is not listed stays the same if it is a verified domain of the environment; any other host is replaced by the link host.',
        },
      ),
    ),
  },
  { description: 'Rows of a file to import' },
);

export const importedRowSchema = Type.Object(
  {
    row: Type.Integer({ minimum: 1, description: 'Number of the row in the file' }),
    id: text('Name of the link at the source, such as `bit.ly/abc`; `number 7` if the row has no address'),
    outcome: oneOf(
      IMPORT_OUTCOMES,
      '`aliased`: its path was taken, and an alias leads to it. `exists`: an earlier call has made it. `skipped`: its path was taken',
    ),
    hosts: Type.Array(Type.String(), { description: 'Hosts in the row, in lower case, each once; empty if there are none' }),
    url: nullable(text('Short URL of the link; null if there is none')),
    lost: Type.Array(Type.String(), { description: 'Fields and columns that were not imported' }),
    reason: nullable(text('Why it was not made')),
  },
  { description: 'The result for a row' },
);

export const importedLinksSchema = Type.Object(
  {
    results: Type.Array(importedRowSchema, { description: 'One for each row, in the order of the request' }),
    created: count('Links that were made'),
    aliased: count('Links that were made and are found by an alias'),
    exists: count('Links that an earlier call has made'),
    skipped: count('Links whose path was taken'),
    failed: count('Rows that were not imported'),
    with_losses: count('Links that were imported without some of their fields'),
  },
  { description: 'The result for each row' },
);

export type ImportedRow = Type.Static<typeof importedRowSchema>;
export type ImportedLinks = Type.Static<typeof importedLinksSchema>;
