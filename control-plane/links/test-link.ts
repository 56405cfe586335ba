import { isObject } from '../../shared/base/issue.js';
import type { LinkTestResult } from '../../shared/contract/schemas/link-test.js';
import { CAMPAIGN_RECORD_COLUMNS, type CampaignRow, campaignRecordFromRow } from '../../shared/feed/campaign-row.js';
import type { LinkRecord, Utm } from '../../shared/records/records.js';
import { addressOf, explainLink } from '../../shared/resolve/explain-link.js';
import { personOn } from '../../shared/resolve/explain-resolution.js';
import { readTriedPath, type TriedPath, withoutForgedClick } from '../../shared/resolve/explain-template.js';
import { recogniseVisitor, type Visitor } from '../../shared/resolve/recognise-visitor.js';
import type { ClickIdKeys } from '../../shared/secrets/click-id-keys.js';
import type { Queryable } from '../db/database.js';
import { readEnvironmentRecord } from '../environment/environment-record.js';
import type { Call } from '../http/operation.js';
import { findLinkRecord } from './link-record.js';
import { findLongLink, triedLongLink } from './long-link.js';
import { aliasedPathOf, hostRoleOf } from './tried-url.js';

/** What visitors of the URL or path get: what is in the database now, put through the code of the engine. */
export async function testLink(
  { body, caller, nowMs }: Call<'testLink'>,
  database: Queryable,
  clickIds: ClickIdKeys,
): Promise<LinkTestResult> {
  const tried = withoutForgedClick(readTriedPath(body.path) as TriedPath, clickIds);
  const settings = await readEnvironmentRecord(database, caller.environment.id);
  const host_role = await hostRoleOf(database, settings, tried.host);
  const question = { tried, host_role, visitor: visitorOf(body), country: body.country ?? '' };
  const long = triedLongLink(tried, settings, host_role);
  const address = addressOf(question, await aliasedPathOf(database, settings, tried, host_role), long);
  if (address.kind !== 'link' || host_role === null)
    return { ...NOTHING, result: address.kind, detail: address.kind === 'link' ? '' : address.detail, trace: steps(address.steps) };
  const isLong = long.kind === 'long_link';
  const environmentId = caller.environment.id;
  const link = await (isLong ? findLongLink(database, environmentId, long) : findLinkRecord(database, environmentId, address.path));
  const followed = { ...question, host_role, tried: isLong ? { ...tried, query: long.content.visit_query } : tried };
  const campaigns = await campaignOf(database, environmentId, link);
  const { outcome, status, lead, params, detail, trace } = explainLink(followed, link, { settings, campaigns }, nowMs);
  const handed = lead === null ? null : link;
  return {
    result: 'link',
    link_id: link?.id ?? null,
    outcome,
    status,
    destination: lead === null || lead.destination === '' ? null : lead.destination,
    deep_link_path: handed?.deep_link_path ?? null,
    data: dataOf(handed),
    params,
    params_dropped: lead?.params_dropped ?? false,
    detail,
    trace: steps([...address.steps, ...trace]),
  };
}

const NOTHING = {
  link_id: null,
  outcome: null,
  status: null,
  destination: null,
  deep_link_path: null,
  data: null,
  params: null,
  params_dropped: false,
} as const;

function steps(trace: readonly { readonly rule: string; readonly inputs: Readonly<Record<string, unknown>>; readonly detail: string }[]) {
  return trace.map((step) => ({ ...step }));
}

function visitorOf({ platform, user_agent }: Call<'testLink'>['body']): Visitor {
  if (user_agent === undefined) return personOn(platform ?? 'desktop');
  const visitor = recogniseVisitor(user_agent);
  return platform === undefined || platform === visitor.platform ? visitor : { ...visitor, platform, os_version: '' };
}

function dataOf(link: LinkRecord | null): Record<string, unknown> | null {
  const data: unknown = link === null || link.data === null ? null : JSON.parse(link.data);
  return isObject(data) ? { ...data } : null;
}

/** The fields of the link's campaign, as the engine knows them. */
async function campaignOf(database: Queryable, environmentId: string, link: LinkRecord | null): Promise<ReadonlyMap<string, Utm>> {
  if (link === null || link.campaign === null) return new Map();
  const { rows } = await database.query<CampaignRow>({
    name: 'find_campaign_record',
    text: `SELECT ${CAMPAIGN_RECORD_COLUMNS} FROM campaigns JOIN environments ON environments.id = campaigns.environment_id
           WHERE campaigns.environment_id = $1 AND campaigns.key = $2`,
    values: [environmentId, link.campaign],
  });
  const records = rows.map(campaignRecordFromRow);
  return new Map(records.flatMap(({ key, utm }) => (utm === null ? [] : [[key, utm] as const])));
}
