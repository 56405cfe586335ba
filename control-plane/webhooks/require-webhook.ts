import { isId } from '../../shared/base/ids.js';
import type { Queryable } from '../db/database.js';
import type { Caller } from '../http/authenticate.js';
import { refuse } from '../http/problems.js';
import * as sql from './sql.js';
import type { WebhookRow } from './webhook-row.js';

interface WebhookCall {
  readonly caller: Caller;
  readonly params: { readonly webhook: string };
}

export function noSuchWebhook() {
  return refuse('not_found', 'There is no such webhook endpoint in this environment.');
}

/** The endpoint that the path names, or 404. `read` may lock it. */
export async function requireWebhook(call: WebhookCall, database: Queryable, read = sql.findWebhook): Promise<WebhookRow> {
  const { webhook } = call.params;
  const row = isId('webhook', webhook) ? await read(database, call.caller.environment.id, webhook) : null;
  if (row === null) throw noSuchWebhook();
  return row;
}
