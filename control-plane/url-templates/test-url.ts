import type { UrlTestResult } from '../../shared/contract/schemas/url-template.js';
import { resourceTypeRecordFromRow, templateRecordFromRow } from '../../shared/feed/codec.js';
import { compileTemplates } from '../../shared/resolve/compile.js';
import { explainItem, type ItemSetting } from '../../shared/resolve/explain-item.js';
import { readTriedPath, type TriedPath } from '../../shared/resolve/explain-template.js';
import { templateRoute } from '../../shared/resolve/template-route.js';
import type { Queryable } from '../db/database.js';
import { readEnvironmentRecord } from '../environment/environment-record.js';
import type { Call } from '../http/operation.js';
import { verifiedDomains } from '../links/sql.js';
import { listTriedTemplates, type TriedTemplateRow } from './sql.js';

/** What visitors of the URL or path get: what is in the database now, put through the code of the engine. */
export async function testUrl({ body, caller }: Pick<Call<'testUrl'>, 'body' | 'caller'>, database: Queryable): Promise<UrlTestResult> {
  const tried = readTriedPath(body.path) as TriedPath;
  const setting = await settingOf(database, caller.environment.id);
  const host_role = await roleOf(tried, setting.hosts, (host) => isVerified(database, caller.environment.id, host));
  const { match, rendered, trace } = explainItem({ tried, host_role, platform: body.platform ?? 'desktop' }, setting);
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

async function isVerified(database: Queryable, environmentId: string, host: string): Promise<boolean> {
  return (await verifiedDomains(database, environmentId, [host])).length === 1;
}

interface Hosts {
  readonly link_host: string;
  readonly open_host: string;
}

async function settingOf(database: Queryable, environmentId: string): Promise<ItemSetting & { readonly hosts: Hosts }> {
  const record = await readEnvironmentRecord(database, environmentId);
  const rows = await listTriedTemplates(database, environmentId, false);
  const archived = await listTriedTemplates(database, environmentId, true);
  return {
    matcher: matcherOf(rows),
    archived: matcherOf(archived),
    records: new Map(rows.map((row) => [row.id, recordsOf(row)])),
    settings: record,
    hosts: record,
  };
}

function recordsOf(row: TriedTemplateRow) {
  const type = { id: row.resource_type_id, environment_number: row.environment_number, key: row.type_key, status: row.type_status };
  return { template: templateRecordFromRow(row), type: resourceTypeRecordFromRow(type) };
}

function matcherOf(rows: readonly TriedTemplateRow[]) {
  const routes = rows.map((row) => {
    const { template, type } = recordsOf(row);
    return templateRoute(template, type, row.data);
  });
  return compileTemplates(routes.filter((route) => route !== null));
}

/** A path alone is asked for on the link host. Host names know no case and may end in a dot; a port does not matter. */
async function roleOf(
  { host }: TriedPath,
  { link_host, open_host }: Hosts,
  isCustomDomain: (host: string) => Promise<boolean>,
): Promise<'link' | 'open' | null> {
  if (host === null) return 'link';
  const name = new URL(`http://${host}`).hostname.replace(/\.$/, '');
  if (name === link_host.toLowerCase()) return 'link';
  if (name === open_host.toLowerCase()) return 'open';
  return (await isCustomDomain(name)) ? 'link' : null;
}
