import { idAt, isId } from '../../shared/base/ids.js';
import { laterThan } from '../../shared/base/instant.js';
import type { Campaign } from '../../shared/contract/schemas/campaign.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { buildEvent, type EventRow } from '../../shared/webhooks/body.js';
import type { Database, Queryable } from '../db/database.js';
import { eventOriginOf, insertEvents } from '../events/emit.js';
import { type Cursors, type PagedList, type PageRequest, pagedList } from '../http/cursor.js';
import type { Call, Operations, UncheckedCall } from '../http/operation.js';
import { refuse, refuseFields, refuseTaken } from '../http/problems.js';
import { type CampaignRow, campaignOfRow } from './campaign-row.js';
import { requireCampaign } from './require-campaign.js';
import { changesLinks, isUnchanged, newCampaignRow, patchedCampaignRow, patchedPeriod, periodErrors, periodOf } from './rules.js';
import * as sql from './sql.js';

export interface CampaignDependencies {
  readonly cursors: Cursors;
}

type CampaignOperations = Pick<Operations, 'listCampaigns' | 'createCampaign' | 'getCampaign' | 'updateCampaign'>;

export function campaignOperations({ cursors }: CampaignDependencies): CampaignOperations {
  const list = pagedList(cursors, 'listCampaigns', 'campaign');
  return {
    listCampaigns: {
      check: list.errors,
      handle: (call, database) => listCampaigns(call, database, list),
    },
    createCampaign: {
      check: ({ body }) => periodErrors(periodOf(body), '/ends_at'),
      async handle(call, database) {
        const campaign = await createCampaign(call, database);
        return { body: campaign, location: `/campaigns/${campaign.id}`, committed: { feed: 'followed' } };
      },
    },
    getCampaign: {
      async handle(call, database) {
        return { body: campaignOfRow(await requireCampaign(call, database), call.nowMs) };
      },
    },
    updateCampaign: {
      check: changedPeriodErrors,
      async handle(call, database) {
        return { body: await updateCampaign(call, database), committed: { feed: 'followed', deliveries: true } };
      },
    },
  };
}

async function listCampaigns(call: Call<'listCampaigns'>, database: Queryable, list: PagedList) {
  const { query, caller, nowMs } = call;
  const { limit: _, cursor: _cursor, ...filters } = query;
  const filter = { nowMs, ...filters };
  const select = (page: PageRequest) => sql.listCampaigns(database, caller.environment.id, filter, page);
  return { body: await list.page(call, select, (row) => campaignOfRow(row, nowMs)) };
}

/** The dates as they would be after the change. The rules are applied again under the lock. */
async function changedPeriodErrors({ body, caller, params }: UncheckedCall, database: Queryable): Promise<readonly FieldError[]> {
  if (body.starts_at === undefined && body.ends_at === undefined) return [];
  const id = params.campaign ?? '';
  const row = isId('campaign', id) ? await sql.findCampaign(database, caller.environment.id, id) : null;
  // The handler reports that there is none.
  return row === null ? [] : periodErrors(patchedPeriod(row, body), periodPointer(body));
}

function periodPointer({ ends_at }: UncheckedCall['body']): string {
  return ends_at === undefined ? '/starts_at' : '/ends_at';
}

async function createCampaign(call: Call<'createCampaign'>, database: Queryable): Promise<Campaign> {
  const { body, caller, nowMs } = call;
  const row = newCampaignRow(body, idAt('campaign', nowMs), nowMs);
  const campaign = campaignOfRow(row, nowMs);
  const events = [buildEvent(eventOriginOf(call), 'campaign.created', campaign)];
  if (row.status === 'ended') events.push(buildEvent(eventOriginOf(call), 'campaign.ended', campaign));
  if (!(await sql.insertCampaign(database, caller.environment.id, row, events)))
    throw refuseTaken('/key', `The key "${body.key}" is taken: choose another one.`);
  return campaign;
}

async function updateCampaign(call: Call<'updateCampaign'>, database: Database): Promise<Campaign> {
  const { body, nowMs } = call;
  return database.transaction(async (transaction) => {
    const before = await requireCampaign(call, transaction, sql.lockCampaign);
    call.requireMatch(campaignOfRow(before, nowMs));
    const patched = patchedCampaignRow(before, body, nowMs);
    if (body.starts_at !== undefined || body.ends_at !== undefined) {
      const wrong = periodErrors(patched, periodPointer(body));
      if (wrong.length > 0) throw refuseFields(wrong);
    }
    if (body.status === 'active' && patched.status === 'ended')
      throw refuse('conflict', 'The end of the campaign has passed: send another ends_at, or null, together with the status.');
    if (isUnchanged(before, patched)) return campaignOfRow(before, nowMs);
    const after = { ...patched, updated_at: laterThan(before.updated_at, nowMs) };
    const campaign = campaignOfRow(after, nowMs);
    await sql.updateCampaign(transaction, after, changesLinks(before, after));
    await insertEvents(transaction, endEvents(call, before, campaign));
    return campaign;
  });
}

/**
 * A campaign has one event for its end, and another one only after it was resumed. If a campaign has just ended and the same change resumes
 * it, its end is reported first.
 */
function endEvents(call: Call<'updateCampaign'>, before: CampaignRow, campaign: Campaign): readonly EventRow[] {
  if (before.status === 'ended') return [];
  const ended = [campaign, campaignOfRow(before, call.nowMs)].find(({ status }) => status === 'ended');
  return ended === undefined ? [] : [buildEvent(eventOriginOf(call), 'campaign.ended', ended)];
}
