import { blockedUrls } from '../blocklist/check.js';
import type { Queryable } from '../db/database.js';
import * as sql from './settings-sql.js';

/**
 * Records for every environment, domain, template and metadata API which of its URLs are on the block list now, and informs the engines
 * about those that changed: engines get such an object without these URLs. What the owner wrote is kept, so that the URLs come back when
 * they are no longer listed. Returns how many objects changed.
 */
export async function noteBlockedUrls(transaction: Queryable): Promise<number> {
  let changed = 0;
  for (const kind of sql.KINDS) {
    const objects = await sql.urlsOf(transaction, kind);
    const listed = await blockedUrls(
      transaction,
      objects.flatMap(({ urls }) => urls),
    );
    for (const { id, urls, blocked_urls } of objects) {
      const blocked = urls.filter((url) => listed.has(url)).sort();
      if (blocked.join(' ') === [...blocked_urls].sort().join(' ')) continue;
      await sql.setBlockedUrls(transaction, kind, id, blocked);
      changed += 1;
    }
  }
  return changed;
}
