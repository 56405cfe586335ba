import type { UrlTestResult } from '../../shared/contract/schemas/url-template.js';
import type { EnvironmentRecord } from '../../shared/records/records.js';
import { explainItem, type ItemExplanation, type ItemSetting } from '../../shared/resolve/explain-item.js';
import { personOn } from '../../shared/resolve/explain-resolution.js';
import { readTriedPath, type TriedPath, withoutForgedClick } from '../../shared/resolve/explain-template.js';
import type { Visitor } from '../../shared/resolve/recognise-visitor.js';
import type { VisitedHost } from '../../shared/resolve/resolve-visit.js';
import { itemOf } from '../../shared/resolve/template-route.js';
import type { ClickIdKeys } from '../../shared/secrets/click-id-keys.js';
import type { Queryable } from '../db/database.js';
import { readEnvironmentRecord } from '../environment/environment-record.js';
import type { Call } from '../http/operation.js';
import { findTriedHost, findTriedLink, leadsBackElsewhere } from '../links/tried-url.js';
import { listTriedTemplates } from './sql.js';
import { leadsToTemplate, templateMatcher, templateRecords } from './template-matcher.js';

/** A call that asks about a URL or path. */
interface TriedUrl {
  readonly body: { readonly path: string };
  readonly caller: Call<'testUrl'>['caller'];
  readonly nowMs: number;
}

/** What a visitor of the URL or path gets: the engine's code, applied to the current contents of the database. */
export async function explainUrl(
  { body, caller, nowMs }: TriedUrl,
  database: Queryable,
  clickIds: ClickIdKeys,
  visitor: Visitor,
): Promise<ItemExplanation> {
  const tried = withoutForgedClick(readTriedPath(body.path) as TriedPath, clickIds);
  const setting = await settingOf(database, caller.environment.id, tried.path);
  const host = await findTriedHost(database, setting.settings, tried.host);
  const found = await findTriedLink(database, { settings: setting.settings, leadsToTemplate }, tried, host);
  const aliased = found?.aliased === true ? found.path : null;
  const question = { tried, domain: host?.domain ?? null, aliased, visitor, now_ms: nowMs };
  const explain = (host_role: VisitedHost | null) => explainItem({ ...question, host_role }, setting);
  const explained = explain(host?.role ?? null);
  const { match, resolution } = explained;
  if (resolution?.outcome !== 'to_open_page' || match.result !== 'match') return explained;
  const { path } = itemOf(match.template, match.id);
  return (await leadsBackElsewhere(database, setting.settings, path)) ? explain('link_only') : explained;
}

export async function testUrl(call: Call<'testUrl'>, database: Queryable, clickIds: ClickIdKeys): Promise<UrlTestResult> {
  const { match, rendered, trace } = await explainUrl(call, database, clickIds, personOn(call.body.platform ?? 'desktop'));
  const template = match.result === 'no_template' ? null : match.template;
  return {
    result: match.result,
    template_id: template?.id ?? null,
    resource_type: template?.resource_type ?? null,
    id: match.id,
    rendered,
    detail: match.detail,
    trace: trace.map((step) => ({ ...step })),
  };
}

async function settingOf(
  database: Queryable,
  environmentId: string,
  path: string,
): Promise<ItemSetting & { readonly settings: EnvironmentRecord }> {
  const record = await readEnvironmentRecord(database, environmentId);
  const rows = await listTriedTemplates(database, environmentId, { path, archived: false });
  const archived = await listTriedTemplates(database, environmentId, { path, archived: true });
  return {
    matcher: templateMatcher(rows),
    archived: templateMatcher(archived),
    records: new Map(rows.map((row) => [row.id, templateRecords(row)])),
    settings: record,
  };
}
