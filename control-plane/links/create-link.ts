import { idAt } from '../../shared/base/ids.js';
import { invariant } from '../../shared/base/invariant.js';
import type { Link, LinkCreate } from '../../shared/contract/schemas/link.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import { type EventRow, linkCreatedEvent } from '../../shared/webhooks/body.js';
import type { Database } from '../db/database.js';
import { eventOriginOf } from '../events/emit.js';
import type { Caller } from '../http/authenticate.js';
import { refuseTaken } from '../http/problems.js';
import { lockAddresses } from './address-locks.js';
import { takenPaths } from './bulk-sql.js';
import { GENERATED_TRIES_MAX, generatePath } from './generated-path.js';
import { addressTaken, aliasPathsOf, giveAliases } from './give-aliases.js';
import { type LinkRow, linkOfRow, shownHost } from './link-row.js';
import { createdAtMs, newLinkRow, withHashedPassword } from './rules.js';
import * as sql from './sql.js';
import { viewOf } from './view.js';

/** A link to create, from a body that passed its schema and the rules for its fields. */
export interface NewLink {
  readonly body: LinkCreate;
  readonly caller: Caller;
  readonly nowMs: number;
}

/** Creates the link, at a generated path if the body names none. Throws 409 if the path, the address or an alias is taken. */
export async function createLink(call: NewLink, database: Database, form: LinkUrlForm): Promise<Link> {
  const { nowMs } = call;
  const body = await withHashedPassword(call.body);
  for (let attempt = 0; attempt < GENERATED_TRIES_MAX; attempt++) {
    const path = body.path ?? generatePath();
    const row = newLinkRow(body, { id: idAt('link', createdAtMs(body, nowMs)), path, nowMs, createdBy: call.caller.keyName });
    const link = linkOfRow(row, viewOf(call, form));
    const event = linkCreatedEvent(eventOriginOf(call), link);
    const { id: environmentId, linkHost } = call.caller.environment;
    const host = shownHost(row, linkHost);
    const insert = () => insertWithAliases(database, environmentId, host, row, event);
    if (await insert()) return link;
    if (body.path !== undefined && (await sql.releasePath(database, environmentId, path)) && (await insert())) return link;
    if (body.path === undefined) continue;
    const takenBy = await takenPaths(database, environmentId, [{ host, path }]);
    if (takenBy.get(`${host}/${path}`) === 'alias') throw addressTaken({ host, normal_path: path }, '/path');
    throw refuseTaken('/path', `The path "${path}" is taken.`);
  }
  invariant(false, `no free path in ${GENERATED_TRIES_MAX} tries`);
}

/** Returns false if the path or the address is taken. A link without aliases takes one statement. */
async function insertWithAliases(database: Database, environmentId: string, host: string, row: LinkRow, event: EventRow): Promise<boolean> {
  if (row.aliases.length === 0) return sql.insertLink(database, environmentId, host, row, event);
  return database.transaction(async (transaction) => {
    await lockAddresses(transaction, environmentId, { paths: [row.path], aliasPaths: aliasPathsOf(row.aliases) });
    if (!(await sql.insertLink(transaction, environmentId, host, row, event))) return false;
    await giveAliases(transaction, environmentId, [row]);
    return true;
  });
}
