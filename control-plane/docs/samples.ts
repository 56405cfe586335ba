import type { OperationId } from '../../shared/contract/routes.js';

/** The operations that apps and browsers call, with the client SDK. */
export type ClientOperationId = 'createSdkLink' | 'resolveSdkUrl' | 'recordSdkOpen' | 'trackSdkEvent';
export type ServerOperationId = Exclude<OperationId, ClientOperationId>;

/** The placeholder for the address of the API. The page replaces it by that of its own server. */
export const SAMPLE_BASE_URL = 'https://api.example.com/v1';

export const SERVER_PREAMBLE = `import { LinkService } from '@link-service/server';

const service = new LinkService({
  secretKey: process.env.LINK_SERVICE_KEY,
  baseUrl: '${SAMPLE_BASE_URL}',
});
`;

export const CLIENT_PREAMBLE = `import { LinkClient } from '@link-service/client';

const links = new LinkClient({
  publishableKey: 'pk_live_...',
  baseUrl: '${SAMPLE_BASE_URL}',
});
`;

/**
 * Each operation as a call of `@link-service/server`. `$body` is replaced by the first example of the body, and any other name after a `$`
 * by that member of the example, or by the example of that parameter. A test compiles all of them.
 */
export const SERVER_SAMPLES: Readonly<Record<ServerOperationId, string>> = {
  createLink: 'const { id, url } = await service.links.create($body);',
  listLinks: "for await (const { url, createdAt } of service.links.list({ status: 'active' })) {\n  console.log(url, createdAt);\n}",
  createLinks:
    '// Any number of them, in calls of a thousand.\nconst { created, failed, results } = await service.links.createMany($links);',
  getLink: 'const link = await service.links.get($link);',
  updateLink: 'const link = await service.links.update($link, $body);',
  deleteLink: 'await service.links.delete($link);',
  restoreLink: 'const { status } = await service.links.restore($link);',
  getLinkStats: "const stats = await service.links.stats($link, { range: '30d' });",
  testLink: 'const answer = await service.links.test($body);',
  getLinkQr: "const image = await service.links.qr($link, { format: 'png', size: 512 });",
  drawLinkQr: 'const image = await service.links.drawQr($link, $body);',
  exportLinks: "const file = await service.exports.links({ format: 'ndjson' });",
  exportCampaigns: 'const file = await service.exports.campaigns();',
  exportClicks: "const file = await service.exports.clicks({ from: '2026-11-01', to: '2026-11-30' });",
  importLinks: 'const { created, results } = await service.imports.links($body);',
  listResourceTypes: 'for await (const { id, name } of service.resourceTypes.list()) console.log(id, name);',
  createResourceType: 'const type = await service.resourceTypes.create($body);',
  getResourceType: 'const type = await service.resourceTypes.get($type);',
  updateResourceType: 'const type = await service.resourceTypes.update($type, $body);',
  getMetadataApi: 'const metadataApi = await service.resourceTypes.metadataApi.get($type);',
  putMetadataApi: 'const metadataApi = await service.resourceTypes.metadataApi.put($type, $body);',
  testMetadataApi: 'const { outcome, metadata } = await service.resourceTypes.metadataApi.test($type, $body);',
  listUrlTemplates: 'for await (const { id, pathPattern } of service.urlTemplates.list()) console.log(id, pathPattern);',
  createUrlTemplate: 'const template = await service.urlTemplates.create($body);',
  testUrl: 'const answer = await service.urlTemplates.test($body);',
  getUrlTemplate: 'const template = await service.urlTemplates.get($template);',
  updateUrlTemplate: 'const template = await service.urlTemplates.update($template, $body);',
  invalidateResources: 'await service.resources.invalidate($body);',
  previewResource: 'const preview = await service.resources.preview($body);',
  getResourceStats: "const stats = await service.resources.stats({ range: '30d' });",
  streamClicks: 'for await (const { linkId, country } of service.clicks.stream()) console.log(linkId, country);',
  getClicks: "const { totals, breakdown } = await service.stats.clicks({ country: 'DE', breakdown: 'link' });",
  getConversions: "const { totals, links } = await service.stats.conversions({ campaign: 'spring' });",
  getStats: "const stats = await service.stats.get({ range: '30d' });",
  listViews: 'for await (const { id, name } of service.views.list()) console.log(id, name);',
  createView: 'const view = await service.views.create($body);',
  getView: 'const view = await service.views.get($view);',
  updateView: 'const view = await service.views.update($view, $body);',
  deleteView: 'await service.views.delete($view);',
  getViewShare: 'const { path, hasPassword } = await service.views.getShare($view);',
  shareView: "const { path } = await service.views.share($view, $body);\nconsole.log(new URL(path, 'https://api.example.com/v1').href);",
  updateViewShare: 'await service.views.updateShare($view, $body);',
  revokeViewShare: 'await service.views.revokeShare($view);',
  readSharedView: 'const { name, totals } = await service.views.readShared($body);',
  listCampaigns: "for await (const { key, name } of service.campaigns.list({ status: 'active' })) console.log(key, name);",
  createCampaign: 'const campaign = await service.campaigns.create($body);',
  getCampaign: 'const campaign = await service.campaigns.get($campaign);',
  updateCampaign: 'const campaign = await service.campaigns.update($campaign, $body);',
  getCampaignStats: "const stats = await service.campaigns.stats($campaign, { range: '30d' });",
  listTags: 'for await (const { id, name } of service.tags.list()) console.log(id, name);',
  getTag: 'const tag = await service.tags.get($tag);',
  updateTag: 'const tag = await service.tags.update($tag, $body);',
  deleteTag: 'await service.tags.delete($tag);',
  listDomains: 'for await (const { hostname, status } of service.domains.list()) console.log(hostname, status);',
  createDomain: 'const domain = await service.domains.create($body);',
  getDomain: 'const domain = await service.domains.get($domain);',
  updateDomain: 'const domain = await service.domains.update($domain, $body);',
  deleteDomain: 'await service.domains.delete($domain);',
  getDomainConnection: 'const { dns, route, certificate } = await service.domains.connection($domain);',
  getDomainCasePairs: 'const { pairs, more } = await service.domains.casePairs($domain);',
  verifyDomain: 'const { status } = await service.domains.verify($domain);',
  getEnvironment: 'const environment = await service.environment.get();',
  updateEnvironment: 'const environment = await service.environment.update($body);',
  getKey: 'const { scopes } = await service.key.get();',
  listKeys: "for await (const { name, lastUsedAt } of service.keys.list({ status: 'active' })) console.log(name, lastUsedAt);",
  getHealth: 'const health = await service.health.get();',
  listEvents: "for await (const event of service.events.list({ type: 'link.created' })) console.log(event);",
  trackEvent: 'const event = await service.events.track($body);',
  triggerEvent: 'await service.events.trigger($body);',
  listInstalls:
    "for await (const { installId, linkId } of service.installs.list({ attribution: 'attributed' })) console.log(installId, linkId);",
  getInstall: "const install = await service.installs.get('ins_01jd4v6xq8e5s0m3k7n9p2r4tw');",
  listTrackedEvents: 'for await (const { name, value, linkId } of service.events.tracked()) console.log(name, value, linkId);',
  deleteInstall: "await service.installs.delete('ins_01jd4v6xq8e5s0m3k7n9p2r4tw');",
  listWebhooks: 'for await (const { id, url } of service.webhooks.list()) console.log(id, url);',
  createWebhook: '// The answer alone has the secret: keep it.\nconst { id, secret } = await service.webhooks.create($body);',
  getWebhook: 'const webhook = await service.webhooks.get($webhook);',
  updateWebhook: 'const webhook = await service.webhooks.update($webhook, $body);',
  deleteWebhook: 'await service.webhooks.delete($webhook);',
  listDeliveries:
    "for await (const { id, status } of service.webhooks.deliveries.list($webhook, { status: 'failed' })) {\n  console.log(id, status);\n}",
  testWebhook: 'const delivery = await service.webhooks.test($webhook, $body);',
  replayFailures: 'const { queued, nextFrom, nextTo, nextCursor } = await service.webhooks.deliveries.replayFailures($webhook, $body);',
  replayDelivery: 'const delivery = await service.webhooks.deliveries.replay(\n  $webhook,\n  $delivery,\n);',
  rotateWebhookSecret: 'const { secret } = await service.webhooks.rotateSecret($webhook);',
};

/** The same for `@link-service/client`, which sends the installation and the device by itself. */
export const CLIENT_SAMPLES: Readonly<Record<ClientOperationId, string>> = {
  createSdkLink: '// null if it could not be made.\nconst link = await links.createLink($body);',
  resolveSdkUrl: 'const resolved = await links.resolve($url);',
  recordSdkOpen:
    '// At every start of the app. The SDK knows a first open, and describes the device.\nconst opened = await links.open({ url: location.href });\nif (opened?.deepLinkPath) console.log(opened.deepLinkPath, opened.data);',
  trackSdkEvent: '// Kept and sent later if there is no network.\nawait links.track($name, { value: $value, currency: $currency });',
};
