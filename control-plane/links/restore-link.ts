import { isId } from '../../shared/base/ids.js';
import { laterThan } from '../../shared/base/instant.js';
import type { Link } from '../../shared/contract/schemas/link.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import { linkBlockedEvent, linkUpdatedEvent } from '../../shared/webhooks/body.js';
import { blockedUrls } from '../blocklist/check.js';
import type { Database } from '../db/database.js';
import { eventOriginOf, insertEvents } from '../events/emit.js';
import type { Call } from '../http/operation.js';
import { refuse } from '../http/problems.js';
import { lockAddresses } from './address-locks.js';
import { linkUrls } from './card.js';
import { isAliasOfOther, textOf } from './give-aliases.js';
import { linkOfRow, shownHost } from './link-row.js';
import { requireLink } from './require-link.js';
import * as sql from './sql.js';
import { viewOf } from './view.js';

/**
 * Restores a deleted link as it was, as long as its path and its aliases are kept for it. A scan of the block list skips deleted links, so
 * a URL that was listed in the meantime blocks the link now.
 */
export function restoreLink(call: Call<'restoreLink'>, database: Database, form: LinkUrlForm): Promise<Link> {
  const { caller, params, nowMs } = call;
  return database.transaction(async (transaction) => {
    const deleted = isId('link', params.link) ? await sql.lockDeletedLink(transaction, caller.environment.id, params.link) : null;
    if (deleted === null) {
      await requireLink(call, transaction);
      throw refuse('conflict', 'The link is not deleted.');
    }
    const { id: environmentId, linkHost } = caller.environment;
    await lockAddresses(transaction, environmentId, { paths: [deleted.path] });
    // Its domain may have been deleted before the address was locked.
    const verified = await sql.verifiedDomains(transaction, environmentId, deleted.domain === null ? [] : [deleted.domain]);
    const shown_on_domain = verified.length > 0;
    const host = shownHost({ ...deleted, shown_on_domain }, linkHost);
    const address = { link_id: deleted.id, host, normal_path: deleted.path };
    if (await isAliasOfOther(transaction, environmentId, address))
      throw refuse('conflict', `The address ${textOf(address)} is now an alias of another link: remove that alias first.`);
    const urls = linkUrls(deleted);
    const listed = await blockedUrls(transaction, urls);
    const destination = deleted.state === 'blocked' ? undefined : urls.find((url) => listed.has(url));
    const state = destination === undefined ? deleted.state : 'blocked';
    const row = { ...deleted, state, shown_on_domain, updated_at: laterThan(deleted.updated_at, nowMs) };
    await sql.restoreLink(transaction, row);
    const link = linkOfRow(row, viewOf(call, form));
    await insertEvents(transaction, [
      destination === undefined
        ? linkUpdatedEvent(eventOriginOf(call), link, ['status'])
        : linkBlockedEvent(eventOriginOf(call), link, destination),
    ]);
    return link;
  });
}
