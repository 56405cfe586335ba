import { isObject } from '../../shared/base/issue.js';
import type { LinkTestResult } from '../../shared/contract/schemas/link-test.js';
import { CAMPAIGN_RECORD_COLUMNS, type CampaignRow, campaignRecordFromRow } from '../../shared/feed/campaign-row.js';
import type { LinkRecord, Utm } from '../../shared/records/records.js';
import { addressOf, explainLink, type LinkAddress, OWN_PAGE_STATUS } from '../../shared/resolve/explain-link.js';
import { ownPageStep, personOn } from '../../shared/resolve/explain-resolution.js';
import { readTriedPath, type TriedPath, withoutForgedClick } from '../../shared/resolve/explain-template.js';
import { ownPage } from '../../shared/resolve/own-page.js';
import { recogniseVisitor, type Visitor } from '../../shared/resolve/recognise-visitor.js';
import type { VisitedHost } from '../../shared/resolve/resolve-visit.js';
import type { ClickIdKeys } from '../../shared/secrets/click-id-keys.js';
import type { Queryable } from '../db/database.js';
import { readEnvironmentRecord } from '../environment/environment-record.js';
import type { Call } from '../http/operation.js';
import { findLongLink, triedLongLink } from './long-link.js';
import { findTriedHost, findTriedLink, type LeadsToTemplate, leadsBackElsewhere } from './tried-url.js';

export interface LinkTestDependencies {
  readonly clickIds: ClickIdKeys;
  readonly leadsToTemplate: LeadsToTemplate;
}

/** What visitors of the URL or path get: the engine's code, applied to the current contents of the database. */
export async function testLink(
  { body, caller, nowMs }: Call<'testLink'>,
  database: Queryable,
  { clickIds, leadsToTemplate }: LinkTestDependencies,
): Promise<LinkTestResult> {
  const tried = withoutForgedClick(readTriedPath(body.path) as TriedPath, clickIds);
  const settings = await readEnvironmentRecord(database, caller.environment.id);
  const environmentId = caller.environment.id;
  const host = await findTriedHost(database, settings, tried.host);
  const [host_role, domain] = [host?.role ?? null, host?.domain ?? null];
  const question = { tried, host_role, domain, visitor: visitorOf(body), country: body.country ?? '' };
  const long = triedLongLink(tried, settings, host_role);
  const found = await findTriedLink(database, { settings, leadsToTemplate }, tried, host);
  const address = addressOf(question, { lower: found?.lower ?? null, aliased: found?.aliased ? found.path : null }, long);
  if (address.kind !== 'link' || host_role === null) {
    const url = ownPage('not_found', tried.path, domain);
    const isLost = url !== null && !(await leadsToTemplate(database, environmentId, tried.path));
    return noLink(address, isLost ? url : null);
  }
  const isLong = long.kind === 'long_link';
  const link = isLong ? await findLongLink(database, environmentId, long) : (found?.record ?? null);
  const followed = { ...question, tried: isLong ? { ...tried, query: long.content.visit_query } : tried };
  const campaigns = await campaignOf(database, environmentId, link);
  const explain = (role: VisitedHost) => explainLink({ ...followed, host_role: role }, link, { settings, campaigns }, nowMs);
  const explained = explain(host_role);
  const isPageless = explained.outcome === 'to_open_page' && !isLong && (await leadsBackElsewhere(database, settings, address.path));
  const { outcome, status, resolution, page_url, params, detail, trace } = isPageless ? explain('link_only') : explained;
  const handed = resolution === null ? null : link;
  return {
    result: 'link',
    link_id: link?.id ?? null,
    outcome,
    status,
    destination: resolution === null ? page_url : resolution.destination || null,
    deep_link_path: handed?.deep_link_path ?? null,
    data: dataOf(handed),
    params,
    params_dropped: resolution?.params_dropped ?? false,
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

/** `page_url` is where the owner of the host sends visitors of a path that belongs to no link and no template; null if nowhere. */
function noLink(address: LinkAddress, page_url: string | null): LinkTestResult {
  const { kind } = address;
  const detail = kind === 'link' ? '' : address.detail;
  const none = { ...NOTHING, result: kind, detail, trace: steps(address.steps) };
  if (kind !== 'no_link' || page_url === null) return none;
  const step = ownPageStep(page_url);
  return {
    ...none,
    status: OWN_PAGE_STATUS,
    destination: page_url,
    detail: `${detail} ${step.detail}`,
    trace: steps([...address.steps, step]),
  };
}

function steps(trace: readonly { readonly rule: string; readonly inputs: Readonly<Record<string, unknown>>; readonly detail: string }[]) {
  return trace.map((step) => ({ ...step }));
}

function visitorOf({ platform, user_agent }: Call<'testLink'>['body']): Visitor {
  if (user_agent === undefined) return personOn(platform ?? 'desktop');
  const visitor = recogniseVisitor(user_agent);
  if (platform === undefined) return visitor;
  const { os_version, in_app_browser } = visitor;
  return { ...personOn(platform), os_version: platform === visitor.platform ? os_version : '', in_app_browser };
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
