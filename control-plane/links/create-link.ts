import { idAt } from '../../shared/base/ids.js';
import { invariant } from '../../shared/base/invariant.js';
import type { Link, LinkCreate } from '../../shared/contract/schemas/link.js';
import { linkCreatedEvent } from '../../shared/webhooks/body.js';
import type { Database } from '../db/database.js';
import type { Caller } from '../http/authenticate.js';
import { refuse } from '../http/problems.js';
import { GENERATED_TRIES_MAX, generatePath } from './generated-path.js';
import { type LinkUrlForm, linkOfRow } from './link-row.js';
import { createdAtMs, newLinkRow } from './rules.js';
import * as sql from './sql.js';
import { originOf, viewOf } from './view.js';

/** A link to make, from a body that passed its schema and the rules of its fields. */
export interface NewLink {
  readonly body: LinkCreate;
  readonly caller: Caller;
  readonly nowMs: number;
}

/** Makes the link, at a generated path where none is asked for. Throws 409 where the path is taken. */
export async function createLink(call: NewLink, database: Database, form: LinkUrlForm): Promise<Link> {
  const { body, nowMs } = call;
  for (let attempt = 0; attempt < GENERATED_TRIES_MAX; attempt++) {
    const path = body.path ?? generatePath();
    const row = newLinkRow(body, { id: idAt('link', createdAtMs(body, nowMs)), path, nowMs });
    const link = linkOfRow(row, viewOf(call, form));
    const event = linkCreatedEvent(originOf(call), link);
    const environmentId = call.caller.environment.id;
    if (await sql.insertLink(database, environmentId, row, event)) return link;
    if (body.path === undefined) continue;
    const released = await sql.releasePath(database, environmentId, path);
    if (released && (await sql.insertLink(database, environmentId, row, event))) return link;
    throw refuse('conflict', `The path "${path}" is taken.`);
  }
  invariant(false, `no free path in ${GENERATED_TRIES_MAX} tries`);
}
