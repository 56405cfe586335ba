import { laterThan } from '../../shared/base/instant.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import { linkUpdatedEvent } from '../../shared/webhooks/body.js';
import { leadsToBlocked } from '../blocklist/check.js';
import type { Database } from '../db/database.js';
import { insertEvents } from '../events/emit.js';
import { linkUrls } from '../links/card.js';
import { type LinkRow, linkOfRow } from '../links/link-row.js';
import { stateBeforeBlock, updateLink } from '../links/sql.js';
import { lockLinkInAnyEnvironment } from './scan-sql.js';

export type UnblockOutcome = 'unblocked' | 'not_found' | 'not_blocked' | 'listed';

/** Lets the operator undo a wrong listing: the link returns to its state before the block, and its owner receives `link.updated`. */
export function unblockLink(database: Database, linkId: string, form: LinkUrlForm, nowMs: number): Promise<UnblockOutcome> {
  return database.transaction(async (transaction) => {
    const row = await lockLinkInAnyEnvironment(transaction, linkId);
    if (row === null) return 'not_found';
    if (row.state !== 'blocked') return 'not_blocked';
    if (await leadsToBlocked(transaction, linkUrls(row))) return 'listed';
    const { environment_id, environment, link_host } = row;
    const after: LinkRow = {
      ...row,
      state: await stateBeforeBlock(transaction, linkId),
      updated_at: laterThan(row.updated_at, nowMs),
    };
    const link = linkOfRow(after, { environment, linkHost: link_host, form, nowMs });
    await updateLink(transaction, after);
    await insertEvents(transaction, [linkUpdatedEvent({ environment_id, environment, at_ms: nowMs }, link, ['status'])]);
    return 'unblocked';
  });
}
