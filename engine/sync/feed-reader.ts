import type { FeedCursor } from '../../shared/records/records.js';
import type { FeedState, NumberedFeedRow } from './sql.js';

/** Returns why a copy at this cursor cannot follow the feed and must be rebuilt; null if it can. */
export function whyNotFollowed(cursor: FeedCursor, feed: FeedState): string | null {
  if (cursor.epoch !== feed.head.epoch) return 'the database is another one than before, or was restored';
  if (cursor.position > feed.head.position) return 'the feed ends before the cursor: the database went back in time';
  if (cursor.position < feed.prunedPosition) return 'the feed no longer reaches back to the cursor';
  return null;
}

/** The result of a read from the cursor: the rows after it, or why they cannot continue from it. */
export type FeedReading =
  | { readonly kind: 'rows'; readonly rows: readonly NumberedFeedRow[] }
  | { readonly kind: 'broken'; readonly reason: string };

/**
 * `rows` are those from the cursor's position on. The row at the cursor must be exactly the one that was applied last (a server
 * that went back in time gives its position to another one), and positions must be consecutive, because a gap would be a change
 * that is never applied.
 */
export function continuation(cursor: FeedCursor, rows: readonly NumberedFeedRow[]): FeedReading {
  const [first] = rows;
  const atCursor = first?.position === cursor.position ? first : null;
  if (cursor.mark !== '' && atCursor?.mark !== cursor.mark)
    return { kind: 'broken', reason: 'the feed row at the cursor is missing or different: the database went back in time' };
  const following = atCursor === null ? rows : rows.slice(1);
  let expected = cursor.position + 1;
  for (const row of following) {
    if (row.position !== expected) return { kind: 'broken', reason: `the feed has no row at position ${expected}` };
    expected += 1;
  }
  return { kind: 'rows', rows: following };
}
