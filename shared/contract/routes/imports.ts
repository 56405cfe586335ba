import { BULK_BODY_BYTES_MAX } from '../../base/limits.js';
import { importedLinksSchema, importLinksSchema } from '../schemas/link-import.js';
import type { UntaggedRoute } from './route.js';
import { WRITE_LINKS } from './scopes.js';

export const IMPORT_ROUTES = {
  importLinks: {
    method: 'POST',
    path: '/imports/links',
    summary: 'Import up to 500 rows of a file',
    description:
      'What `linkd import` does with a file, for rows that the caller has read: links keep their paths, tags and times of creation, and every further address becomes an alias. Each row succeeds or fails by itself, and a field that is refused is left out and named in `lost`. A row that an earlier call has made a link of is found again by its address, its time of creation and its destination, so that a file may be sent any number of times. It is disabled if its row says so by now and nobody has changed it here since it was made; if it was changed and is on, `lost` names `status`. A row whose address has no path fails, and so does a row of which every cell is empty. Send the rows of a file in their order, one call after the other. At most 20 rows of a call have a password. Answers 200 even where every row failed.',
    scopes: WRITE_LINKS,
    body: importLinksSchema,
    bodyBytesMax: BULK_BODY_BYTES_MAX,
    examples: {
      bitly: {
        source: 'bitly',
        columns: ['bitlink', 'long url', 'title', 'created'],
        rows: [['bit.ly/spring', 'https://example.com/spring', 'Spring', '2021-03-04T05:06:07Z']],
        domains: [],
        on_collision: 'alias',
        dry_run: true,
      },
      ndjson: { source: 'ndjson', rows: [{ path: 'spring', destinations: { web: 'https://example.com/spring' } }] },
    },
    response: { status: 200, description: 'A result for each row', schema: importedLinksSchema },
  },
} as const satisfies Record<string, UntaggedRoute>;
