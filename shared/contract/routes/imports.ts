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
      'Imports rows that the caller has read from a file, as `linkd import` does. Links keep their paths, tags and times of creation, and every further address becomes an alias. Each row succeeds or fails on its own. A field that is refused is left out and listed in `lost`. If it could keep visitors out, as a password, a limit of clicks or an `expires_at` that cannot be read, the link is created disabled. If an earlier call has imported the row, its link is found again by the address, the time of creation and the destination, so you may send a file any number of times. If the row is now disabled, the link is disabled too, unless somebody has changed it here since it was imported: then an enabled link stays enabled and `lost` lists `status`. A row whose address has no path fails, and so does a row whose cells are all empty. Send the rows of a file in order, one call after the other. At most 20 rows of a call may have a password. The status is 200 even if every row failed.',
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
