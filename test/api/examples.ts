import type { TSchema } from 'typebox';
import type { Database } from '../../control-plane/db/database.js';
import type { Route } from '../../shared/contract/routes/route.js';
import type { OperationId } from '../../shared/contract/routes.js';
import { send } from './api-client.js';
import type { ApiServer } from './api-server.js';

/** A request that succeeds, for every operation. A route without one does not compile, so that no operation goes untested. */
export interface Example {
  /** The values of the path's parameters: objects of the environment `live`. */
  readonly params: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

type Make = (api: ApiServer) => Promise<Example>;

async function make(api: ApiServer, path: string, body: unknown): Promise<string> {
  const answer = await send(api.baseUrl, `POST ${path}`, { key: api.liveKey, body });
  return answer.json.id as string;
}

const metadataApiBody = {
  status: 'disabled',
  url_template: 'https://api.example.com/{type}/{id}',
  auth: { type: 'bearer', secret: 'a-credential' },
  field_mapping: { title: 'name' },
};
const webhookBody = { url: 'https://hooks.example.com/a', events: ['link.created', 'click.created'] };
const aLink: Make = async (api) => ({ params: { link: await make(api, '/links', {}) } });
const aDeletedLink: Make = async (api) => {
  const example = await aLink(api);
  await send(api.baseUrl, `DELETE /links/${example.params.link}`, { key: api.liveKey });
  return example;
};
/** An environment can have only twenty webhooks. */
async function deleteWebhooks(api: ApiServer): Promise<void> {
  await api.database.query({ text: 'DELETE FROM webhook_endpoints', values: [] });
}

const aWebhook: Make = async (api) => {
  await deleteWebhooks(api);
  return { params: { webhook: await make(api, '/webhooks', webhookBody) } };
};

/** A finished delivery of an endpoint. Only a finished delivery can be replayed. */
const aFailedDelivery: Make = async (api) => {
  const { params } = await aWebhook(api);
  const delivery = await make(api, `/webhooks/${params.webhook}/test`, {});
  await api.database.query({
    text: `UPDATE webhook_deliveries SET status = 'failed', due_at = NULL, response_code = 500 WHERE id = $1`,
    values: [delivery],
  });
  return { params: { ...params, delivery } };
};
/** Archives every type, because there can be only twenty that are not archived. Keys of types are never free again. */
async function archiveResourceTypes(api: ApiServer): Promise<void> {
  await api.database.query({ text: `UPDATE resource_types SET status = 'archived'`, values: [] });
}

let keys = 0;
const newKey = () => `key-${++keys}`;

const aResourceType: Make = async (api) => {
  await archiveResourceTypes(api);
  return { params: { type: await make(api, '/resource-types', { key: newKey(), name: 'Example' }) } };
};

/** A type with a metadata API that is never called. */
const aMetadataApi: Make = async (api) => {
  const example = await aResourceType(api);
  await send(api.baseUrl, `PUT /resource-types/${example.params.type}/metadata-api`, { key: api.liveKey, body: metadataApiBody });
  return example;
};

/** All templates share one type, so that a request which was prepared earlier stays valid when the next one is prepared. */
async function typeOfTemplates(api: ApiServer): Promise<string> {
  const list = await send(api.baseUrl, 'GET /resource-types', { key: api.liveKey });
  return list.json.data[0]?.id ?? (await make(api, '/resource-types', { key: newKey(), name: 'Example' }));
}

/** Deletes the templates, because a type can have only five, and their pattern would be taken. */
async function templateBody(api: ApiServer): Promise<Readonly<Record<string, unknown>>> {
  await api.database.query({ text: 'DELETE FROM url_templates', values: [] });
  return {
    resource_type_id: await typeOfTemplates(api),
    path_pattern: '/p/{id}',
    id_format: { kind: 'preset', preset: 'numeric' },
    deep_link_path: '/{type}/{id}',
    data: { item: '{id}' },
    redirects: { web: 'https://example.com/{id}' },
    allow_param_passthrough: true,
  };
}

const aTemplate: Make = async (api) => ({ params: { template: await make(api, '/url-templates', await templateBody(api)) } });
/** Deletes the rows, because each key and each host can be taken only once. */
async function deleteAll(api: ApiServer, table: 'campaigns' | 'domains' | 'saved_views'): Promise<void> {
  await api.database.query({ text: `DELETE FROM ${table}`, values: [] });
}

const campaignBody = { key: 'spring', name: 'Spring', utm_source: 'newsletter' };
const aCampaign: Make = async (api) => {
  await deleteAll(api, 'campaigns');
  return { params: { campaign: await make(api, '/campaigns', campaignBody) } };
};

const domainBody = { hostname: 'links.acme.org' };
const aDomain: Make = async (api) => {
  await deleteAll(api, 'domains');
  return { params: { domain: await make(api, '/domains', domainBody) } };
};

const viewBody = { name: 'Spring', breakdown: 'link', filters: { country: 'DE' } };
const aView: Make = async (api) => {
  await deleteAll(api, 'saved_views');
  return { params: { view: await make(api, '/views', viewBody) } };
};
const aShare: Make = async (api) => {
  const example = await aView(api);
  await send(api.baseUrl, `POST /views/${example.params.view}/share`, { key: api.liveKey, body: {} });
  return example;
};
/** The token belongs to the newest share, because making another share would end it. */
const aSharedView: Make = async (api) => {
  const { params } = await aView(api);
  const { json } = await send(api.baseUrl, `POST /views/${params.view}/share`, { key: api.liveKey, body: {} });
  return { params: {}, body: { token: json.token } };
};

const aTag: Make = async (api) => {
  const tags = [newKey()];
  await make(api, '/links', { tags });
  const { json } = await send(api.baseUrl, `GET /tags?search=${tags[0]}`, { key: api.liveKey });
  return { params: { tag: json.data[0].id } };
};

const anInstall: Make = async (api) => {
  const install = `install-${++keys}-x`;
  const body = { install_id: install, first_open: true, device: { os: 'ios' } };
  await send(api.baseUrl, 'POST /sdk/opens', { key: api.liveAppKey, body });
  return { params: { install } };
};

const nothing: Make = async () => ({ params: {} });

export const EXAMPLES: Readonly<Record<OperationId, Make>> = {
  createLink: async () => ({ params: {}, body: { deep_link_path: '/p/1', data: { a: 1 }, destinations: { web: 'https://example.com/' } } }),
  createLinks: async () => ({
    params: {},
    body: { links: [{ deep_link_path: '/p/1' }, { path: 'no path' }, { destinations: { web: 'https://example.com/' } }] },
  }),
  importLinks: async () => ({
    params: {},
    body: {
      source: 'csv',
      columns: ['path', 'web', 'colour'],
      rows: [['no path', 'https://example.com/', ''], ['', 'https://example.com/', 'red'], [7]],
    },
  }),
  exportLinks: nothing,
  exportCampaigns: nothing,
  exportClicks: nothing,
  testLink: async () => ({ params: {}, body: { path: '/spring', user_agent: 'WhatsApp/2.23' } }),
  getLinkQr: aLink,
  drawLinkQr: async (api) => ({ ...(await aLink(api)), body: { format: 'png', dots: 'dots', frame_text: 'Scan me' } }),
  listLinks: nothing,
  getLink: aLink,
  updateLink: async (api) => ({ ...(await aLink(api)), body: { deep_link_path: '/changed' } }),
  deleteLink: aLink,
  restoreLink: aDeletedLink,
  getLinkStats: aLink,
  listResourceTypes: nothing,
  createResourceType: async (api) => {
    await archiveResourceTypes(api);
    return { params: {}, body: { key: newKey(), name: 'Example' } };
  },
  getResourceType: aResourceType,
  updateResourceType: async (api) => ({ ...(await aResourceType(api)), body: { name: 'Changed', status: 'active' } }),
  listUrlTemplates: nothing,
  createUrlTemplate: async (api) => ({ params: {}, body: await templateBody(api) }),
  testUrl: async () => ({ params: {}, body: { path: 'https://go.example.com/p/42?a=1', platform: 'ios' } }),
  getUrlTemplate: aTemplate,
  updateUrlTemplate: async (api) => ({ ...(await aTemplate(api)), body: { deep_link_path: '/changed/{id}', status: 'disabled' } }),
  listViews: nothing,
  createView: async (api) => {
    await deleteAll(api, 'saved_views');
    return { params: {}, body: viewBody };
  },
  getView: aView,
  updateView: async (api) => ({ ...(await aView(api)), body: { name: 'Autumn', range: 'this_month' } }),
  deleteView: aView,
  getViewShare: aShare,
  shareView: aView,
  updateViewShare: async (api) => ({ ...(await aShare(api)), body: { expires_at: '2040-01-01T00:00:00Z' } }),
  revokeViewShare: aShare,
  readSharedView: aSharedView,
  listCampaigns: nothing,
  createCampaign: async (api) => {
    await deleteAll(api, 'campaigns');
    return { params: {}, body: campaignBody };
  },
  getCampaign: aCampaign,
  getCampaignStats: aCampaign,
  updateCampaign: async (api) => ({ ...(await aCampaign(api)), body: { utm_source: 'changed' } }),
  listTags: nothing,
  getTag: aTag,
  updateTag: async (api) => ({ ...(await aTag(api)), body: { name: newKey() } }),
  deleteTag: aTag,
  listDomains: nothing,
  createDomain: async (api) => {
    await deleteAll(api, 'domains');
    return { params: {}, body: domainBody };
  },
  getDomain: aDomain,
  updateDomain: async (api) => ({ ...(await aDomain(api)), body: { case_insensitive: true, redirects: { root: 'https://example.com/' } } }),
  deleteDomain: aDomain,
  getDomainConnection: aDomain,
  getDomainCasePairs: aDomain,
  verifyDomain: aDomain,
  getEnvironment: nothing,
  getKey: nothing,
  listKeys: nothing,
  updateEnvironment: async () => ({ params: {}, body: { attribution_window_minutes: 60 } }),
  listInstalls: nothing,
  getInstall: anInstall,
  deleteInstall: anInstall,
  listTrackedEvents: nothing,
  getConversions: nothing,
  createSdkLink: async () => ({ params: {}, body: { deep_link_path: '/p/1', data: { a: 1 } } }),
  resolveSdkUrl: async (api) => {
    const link = await send(api.baseUrl, 'POST /links', { key: api.liveKey, body: {} });
    return { params: {}, body: { url: link.json.url } };
  },
  recordSdkOpen: async () => ({ params: {}, body: { install_id: `install-${++keys}`, first_open: true, device: { os: 'ios' } } }),
  trackSdkEvent: async () => ({ params: {}, body: { name: 'purchase', value: 1, currency: 'EUR' } }),
  listEvents: async () => ({ params: {} }),
  triggerEvent: async () => ({ params: {}, body: { type: 'link.created' } }),
  trackEvent: async () => ({ params: {}, body: { name: 'purchase', value: 1, currency: 'EUR' } }),
  listWebhooks: nothing,
  createWebhook: async (api) => {
    await deleteWebhooks(api);
    return { params: {}, body: webhookBody };
  },
  getWebhook: aWebhook,
  updateWebhook: async (api) => ({ ...(await aWebhook(api)), body: { description: 'changed' } }),
  deleteWebhook: aWebhook,
  listDeliveries: aWebhook,
  testWebhook: aWebhook,
  getMetadataApi: aMetadataApi,
  putMetadataApi: async (api) => ({ ...(await aMetadataApi(api)), body: metadataApiBody }),
  testMetadataApi: async (api) => ({ ...(await aMetadataApi(api)), body: { id: '42' } }),
  invalidateResources: async (api) => {
    await aMetadataApi(api);
    return { params: {}, body: { resource_type: `key-${keys}`, ids: ['42'] } };
  },
  previewResource: async () => ({ params: {}, body: { path: '/example/42' } }),
  getResourceStats: nothing,
  getStats: nothing,
  getClicks: nothing,
  streamClicks: nothing,
  getHealth: nothing,
  replayFailures: async (api) => {
    const { params } = await aFailedDelivery(api);
    return { params: { webhook: params.webhook as string }, body: { from: '2030-01-01T00:00:00Z', to: '2030-01-02T00:00:00Z' } };
  },
  replayDelivery: aFailedDelivery,
  rotateWebhookSecret: aWebhook,
};

/** A key that the operation accepts. */
export function keyFor(api: ApiServer, route: Route, environment: 'live' | 'test' = 'live'): string {
  if (route.key === 'publishable') return environment === 'live' ? api.liveAppKey : api.testAppKey;
  return environment === 'live' ? api.liveKey : api.testKey;
}

export function pathOf(route: Route, params: Readonly<Record<string, string>>): string {
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] as string);
}

export interface WrongValue {
  readonly name: string;
  readonly value: unknown;
}

/** Values that the schema of a field refuses, one for each of its rules. */
export function wrongValues(schema: TSchema): readonly WrongValue[] {
  const rules = schema as Record<string, unknown>;
  const types = [rules.type].flat();
  const wrong: WrongValue[] = [{ name: 'a value of another type', value: types.includes('string') ? 17 : 'text' }];
  if (!types.includes('null')) wrong.push({ name: 'null', value: null });
  if (typeof rules.minLength === 'number' && rules.minLength > 0) wrong.push({ name: 'empty text', value: '' });
  if (typeof rules.maxLength === 'number') wrong.push({ name: 'text that is too long', value: '/'.padEnd(rules.maxLength + 1, 'x') });
  if (rules.enum !== undefined) wrong.push({ name: 'a value outside the list', value: 'nowhere' });
  if (rules.pattern !== undefined) wrong.push({ name: 'text of another form', value: '\u00e9 / ' });
  if (rules.format === 'date-time')
    for (const value of ['2026-02-30T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00', 'now'])
      wrong.push({ name: `the time ${value}`, value });
  if (rules.format === 'plain-text' || rules.format === 'plain-lines')
    wrong.push({ name: 'a control character', value: '/a\u0000b' }, { name: 'half a surrogate pair', value: '/\ud800' });
  if (typeof rules.minItems === 'number') wrong.push({ name: 'an empty list', value: [] });
  if (rules.uniqueItems === true) wrong.push({ name: 'an item twice', value: ['link.created', 'link.created'] });
  return wrong;
}

/** A text that changes whenever any row of the customer's tables changes. */
export async function contentHash(database: Database): Promise<string> {
  const tables = [
    'resource_types',
    'url_templates',
    'metadata_apis',
    'metadata_answers',
    'metadata_figures',
    'links',
    'tags',
    'webhook_endpoints',
    'webhook_deliveries',
    'events',
    'config_feed',
    'idempotency_keys',
    'campaigns',
    'domains',
    'environments',
    'tracked_events',
    'app_opens',
    'open_clicks',
    'click_devices',
    'installs',
  ];
  const hashes = await Promise.all(
    tables.map((table) =>
      database.query<{ hash: string }>({
        text: `SELECT coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS hash FROM ${table} AS t`,
        values: [],
      }),
    ),
  );
  return hashes.map(({ rows }) => rows[0]?.hash).join();
}
