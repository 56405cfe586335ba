import Type from 'typebox';
import { BULK_LINKS_MAX } from '../../base/limits.js';
import { closedObject, count } from './fields.js';
import { linkSchema } from './link.js';
import { problemSchema } from './problem.js';

export const bulkCreateSchema = closedObject(
  {
    links: Type.Array(Type.Unsafe<unknown>({}), {
      minItems: 1,
      maxItems: BULK_LINKS_MAX,
      description: 'Links to make, each as in `POST /links`',
    }),
    dry_run: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Return what would happen to each link, and create none. Ids and generated paths of such a response are not reserved.',
      }),
    ),
  },
  { description: 'Links to make' },
);

const index = Type.Integer({ minimum: 0, description: 'Place of the link in the request' });

const createdResultSchema = Type.Object(
  { index, status: Type.Literal(201, { description: 'Status of a created link' }), link: linkSchema },
  { description: 'A link that was made' },
);

const failedResultSchema = Type.Object(
  { index, status: Type.Integer({ minimum: 400, maximum: 499, description: 'Status of the problem' }), error: problemSchema },
  { description: 'A link that was not created, and why. Pointers start at the whole request, for example `/links/3/path`.' },
);

export const bulkResultSchema = Type.Object(
  {
    results: Type.Array(Type.Union([createdResultSchema, failedResultSchema]), {
      description: 'One result for each link, in the order of the request',
    }),
    created: count('Links that were made'),
    failed: count('Links that were not made'),
  },
  { description: 'The result for each link' },
);

export type BulkResult = Type.Static<typeof bulkResultSchema>;
