import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import { linkDisabledEvent } from '../../shared/webhooks/body.js';
import type { Database } from '../db/database.js';
import { insertEvents } from '../events/emit.js';
import { tellDueExpiries } from './expiry-sql.js';
import { linkOfRow } from './link-row.js';

/** The number of links whose events are emitted in one transaction. */
const EXPIRED_ROWS = 500;

/**
 * Emits `link.disabled` for the links that have expired, by their time (on the database's clock) or by their last click. The transaction of
 * the event also marks the expiry, so that it is reported once, whatever number of servers look and for however many causes. Returns the
 * number of links that were marked; call it until it returns 0.
 */
export function tellExpiredLinks(database: Database, form: LinkUrlForm): Promise<number> {
  return database.transaction(async (transaction) => {
    const expired = await tellDueExpiries(transaction, EXPIRED_ROWS);
    const events = expired.flatMap(({ environment_id, environment, link_host, now_ms, is_reported, ...row }) => {
      if (is_reported) return [];
      const link = linkOfRow(row, { environment, linkHost: link_host, form, nowMs: now_ms });
      return linkDisabledEvent({ environment_id, environment, at_ms: now_ms }, link, 'expired');
    });
    await insertEvents(transaction, events);
    return expired.length;
  });
}
