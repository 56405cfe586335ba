import Type from 'typebox';
import { IMPORT_CELL_CHARACTERS_MAX, IMPORT_COLUMNS_MAX, IMPORT_DOMAINS_MAX, IMPORT_ROWS_MAX } from '../../base/limits.js';
import { closedObject, count, nullable, oneOf, text } from './fields.js';

/** Sources that are files, row by row. Those of an API are read by the command line. */
export const FILE_SOURCES = ['firebase', 'bitly', 'dub', 'csv', 'ndjson'] as const;
export type FileSource = (typeof FILE_SOURCES)[number];

export const COLLISIONS = ['fail', 'skip', 'alias'] as const;
/** What becomes of a link whose path another link has. */
export type Collision = (typeof COLLISIONS)[number];

export const IMPORT_OUTCOMES = ['created', 'aliased', 'exists', 'skipped', 'failed'] as const;
/** `exists`: an earlier run has made it. `aliased`: its path was taken, and an alias leads to it. */
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
        description: 'Names of the columns, as the head of the file has them. Required unless `source` is `ndjson`.',
      }),
    ),
    rows: Type.Array(Type.Unsafe<unknown>({}), {
      minItems: 1,
      maxItems: IMPORT_ROWS_MAX,
      description:
        'Rows of the file: lists of cells in the order of `columns`, or, if `source` is `ndjson`, objects or their lines as text. A whole number that cannot be kept exactly is not carried over.',
    }),
    first_row: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 1,
        description:
          'Number of the first of these rows in the file, from 1, the head apart. A row without an address gets a path that follows from its number and content, so that it is found again.',
      }),
    ),
    dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Answer what would become of each row, and make no link.' })),
    on_collision: Type.Optional(
      Type.Unsafe<Collision>({
        ...oneOf(
          COLLISIONS,
          'What becomes of a link whose path another link has: it fails, it is passed over, or it gets an alias on the host that takes the place of the one it comes from, by `domains` or since it is a verified domain, unless the other link is shown on that one',
        ),
        default: 'fail',
      }),
    ),
    case_sensitive: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'For `dub`: keys that differ in case alone are different links, as domains of Dub may have it. Otherwise a link has its key in lower case, and the key as it is shown as an alias.',
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
            'Hosts that take the place of those of the other service. A host that is not named stays what it is if it is a verified domain of the environment; any other one becomes the link host.',
        },
      ),
    ),
  },
  { description: 'Rows of a file to import' },
);

export const importedRowSchema = Type.Object(
  {
    row: Type.Integer({ minimum: 1, description: 'Number of the row in the file' }),
    id: text('What the source calls the link: `bit.ly/abc`; `number 7` if the row names no address'),
    outcome: oneOf(
      IMPORT_OUTCOMES,
      '`aliased`: its path was taken, and an alias leads to it. `exists`: an earlier call has made it. `skipped`: its path was taken',
    ),
    hosts: Type.Array(Type.String(), { description: 'Hosts that the row names, in lower case, each once; empty if it names none' }),
    url: nullable(text('Short URL of the link; null if there is none')),
    lost: Type.Array(Type.String(), { description: 'Fields and columns that were not carried over' }),
    reason: nullable(text('Why it was not made')),
  },
  { description: 'What became of a row' },
);

export const importedLinksSchema = Type.Object(
  {
    results: Type.Array(importedRowSchema, { description: 'One for each row, in the order of the request' }),
    created: count('Links that were made'),
    aliased: count('Links that were made and are found by an alias'),
    exists: count('Links that an earlier call has made'),
    skipped: count('Links whose path was taken'),
    failed: count('Rows that no link was made of'),
    with_losses: count('Links that lack something'),
  },
  { description: 'What became of each row' },
);

export type ImportedRow = Type.Static<typeof importedRowSchema>;
export type ImportedLinks = Type.Static<typeof importedLinksSchema>;
