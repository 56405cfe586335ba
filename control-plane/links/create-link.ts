import { idAt } from '../../shared/base/ids.js';
import { invariant } from '../../shared/base/invariant.js';
import type { Link, LinkCreate } from '../../shared/contract/schemas/link.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import { type EventRow, linkCreatedEvent } from '../../shared/webhooks/body.js';
import type { Database } from '../db/database.js';
import { eventOriginOf } from '../events/emit.js';
import type { Caller } from '../http/authenticate.js';
import { type Refusal, refuseTaken } from '../http/problems.js';
import { lockAddresses } from './address-locks.js';
import { aliasAddresses } from './aliases.js';
import { addressOwners } from './bulk-sql.js';
import { requireVerified } from './checks.js';
import { GENERATED_TRIES_MAX, generatePath } from './generated-path.js';
import { addressTaken, aliasPathsOf, giveAliases } from './give-aliases.js';
import { type LinkRow, linkOfRow, shownHost } from './link-row.js';
import { releaseAddresses } from './release-addresses.js';
import { createdAtMs, newLinkRow, withHashedPassword } from './rules.js';
import * as sql from './sql.js';
import { viewOf } from './view.js';

/** A link to create, from a body that passed its schema and the rules for its fields. */
export interface NewLink {
  readonly body: LinkCreate;
  readonly caller: Caller;
  readonly nowMs: number;
}

/** A link that was created, and its feed rows as `Committed` describes them. */
export interface CreatedLink {
  readonly link: Link;
  readonly feed: 'changed' | 'followed';
}

/**
 * Returns how link hosts have to learn of new links. A new path is looked up when its first visitor comes. An alias may lie below a
 * template, or hide what was found there before, and a released path is known as that of a deleted link: the call waits for the hosts.
 */
export function feedOfCreation(links: readonly Pick<Link, 'aliases'>[], released: boolean): CreatedLink['feed'] {
  return released || links.some(({ aliases }) => aliases.length > 0) ? 'followed' : 'changed';
}

/** Creates the link, at a generated path if the body names none. Throws 409 if the path, the address or an alias is taken. */
export async function createLink(call: NewLink, database: Database, form: LinkUrlForm): Promise<CreatedLink> {
  const { nowMs } = call;
  const body = await withHashedPassword(call.body);
  for (let attempt = 0; attempt < GENERATED_TRIES_MAX; attempt++) {
    const path = body.path ?? generatePath();
    const row = newLinkRow(body, { id: idAt('link', createdAtMs(body, nowMs)), path, nowMs, createdBy: call.caller.keyName });
    const link = linkOfRow(row, viewOf(call, form));
    const event = linkCreatedEvent(eventOriginOf(call), link);
    const { id: environmentId, linkHost } = call.caller.environment;
    const insertion = { environmentId, host: shownHost(row, linkHost), row, event };
    if (await insert(insertion, database)) return { link, feed: feedOfCreation([link], false) };
    await requireVerified(database, environmentId, row.domain);
    if (body.path === undefined) continue;
    await releaseAddresses(database, environmentId, [{ host: insertion.host, normal_path: path }]);
    const refusal = await refusalOf(insertion, database);
    // Only a link that no longer keeps its addresses was in the way. Perhaps the periodic deletion has released it.
    if (refusal === null && (await insert(insertion, database))) return { link, feed: feedOfCreation([link], true) };
    throw refusal ?? pathTaken(path);
  }
  invariant(false, `no free path in ${GENERATED_TRIES_MAX} tries`);
}

interface Insertion {
  readonly environmentId: string;
  /** The host that the link is shown on. */
  readonly host: string;
  readonly row: LinkRow;
  readonly event: EventRow;
}

/** Returns false if the path or the address is taken, or the domain is gone. A link without aliases takes one statement. */
function insert({ environmentId, host, row, event }: Insertion, database: Database): Promise<boolean> {
  if (row.aliases.length === 0) return sql.insertLink(database, environmentId, host, row, event);
  return database.transaction(async (transaction) => {
    await lockAddresses(transaction, environmentId, { paths: [row.path], aliasPaths: aliasPathsOf(row.aliases) });
    await releaseAddresses(transaction, environmentId, aliasAddresses(row.aliases));
    if (!(await sql.insertLink(transaction, environmentId, host, row, event))) return false;
    await giveAliases(transaction, environmentId, [row]);
    return true;
  });
}

/** Returns null if nothing has the address. */
async function refusalOf({ environmentId, host, row: { path } }: Insertion, database: Database): Promise<Refusal | null> {
  const owners = await addressOwners(database, environmentId, [{ host, path }]);
  const owner = owners.get(`${host}/${path}`);
  if (owner === 'alias') return addressTaken({ host, normal_path: path }, '/path');
  return owner === undefined ? null : pathTaken(path);
}

function pathTaken(path: string): Refusal {
  return refuseTaken('/path', `The path "${path}" is taken.`);
}
