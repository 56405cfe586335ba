import { laterThan } from '../../shared/base/instant.js';
import { buildEvent } from '../../shared/webhooks/body.js';
import type { Database } from '../db/database.js';
import { insertEvents } from '../events/emit.js';
import { campaignOfRow } from './campaign-row.js';
import * as sql from './sql.js';

/** The number of campaigns that are ended in one transaction. */
const END_ROWS = 500;

/**
 * Ends campaigns whose `ends_at` has passed, each with its event. A batch is one transaction, so that each end is reported once, whatever
 * number of servers look. Returns the number of campaigns; call it until it returns 0.
 */
export async function endDueCampaigns(database: Database, nowMs: number): Promise<number> {
  return database.transaction(async (transaction) => {
    const due = await sql.lockDueCampaigns(transaction, END_ROWS);
    if (due.length === 0) return 0;
    await sql.endCampaigns(
      transaction,
      due.map(({ id }) => id),
      nowMs,
    );
    const events = due.map(({ environment_id, environment, ...row }) =>
      buildEvent({ environment_id, environment, at_ms: nowMs }, 'campaign.ended', campaignOfRow(ended(row, nowMs), nowMs)),
    );
    await insertEvents(transaction, events);
    return due.length;
  });
}

function ended<Row extends { readonly updated_at: Date }>(row: Row, nowMs: number): Row {
  return { ...row, status: 'ended', updated_at: laterThan(row.updated_at, nowMs) };
}
