import t from 'tap';
import { OPERATION_IDS, routeOf } from '../../shared/contract/routes.js';
import {
  BulkError,
  ConflictError,
  etagOf,
  type LinkCreate,
  LinkService,
  NotFoundError,
  PreconditionError,
  ValidationError,
} from '../../shared/sdk/server.js';
import { until } from '../support/until.js';
import { startApiServer } from './api-server.js';

/** Tests the SDK for servers against the real API. */

const api = await startApiServer(t);
const called = new Set<string>();

/** The operation that the request belongs to. A literal path has precedence over one with a parameter. */
function operationOf(method: string, url: string): string {
  const path = new URL(url).pathname.replace('/v1', '');
  const fits = (id: (typeof OPERATION_IDS)[number], part: string) =>
    routeOf(id).method === method && new RegExp(`^${routeOf(id).path.replaceAll(/\{\w+\}/g, part)}$`).test(path);
  return OPERATION_IDS.find((id) => fits(id, '\\{\\w+\\}')) ?? OPERATION_IDS.find((id) => fits(id, '[^/]+')) ?? `${method} ${path}`;
}

const service = new LinkService({
  secretKey: api.liveKey,
  baseUrl: api.baseUrl,
  fetch: (url, init) => {
    called.add(operationOf(init.method as string, url));
    return fetch(url, init);
  },
});

t.test('an id of dots is the id of nothing, and not another path', async (t) => {
  const service = new LinkService({ secretKey: api.liveKey, baseUrl: api.baseUrl });
  const calls: readonly ((id: string) => Promise<unknown>)[] = [
    (id) => service.links.get(id),
    (id) => service.links.stats(id),
    (id) => service.campaigns.stats(id),
    (id) => service.views.revokeShare(id),
    (id) => service.installs.get(id),
    (id) => service.webhooks.deliveries.list(id).page(),
    (id) => service.webhooks.deliveries.replay('whk_x', id),
  ];
  for (const id of ['.', '..', '%2e%2e', '../campaigns', '', '?', '#'])
    for (const each of calls) await t.rejects(each(id), NotFoundError, `${id} ${each}`);
});

t.test('a link is made, read, listed, changed, counted, drawn, tried and deleted', async (t) => {
  const link = await service.links.create({
    path: 'spring',
    deepLinkPath: '/product/42',
    data: { snake_key: { a: 1 } },
    utmSource: 'x',
    allowParamPassthrough: true,
    destinations: { web: 'https://example.com/' },
    expiresAt: '2040-01-01T00:00:00+01:00',
  });
  t.match(link, { id: /^lnk_/, url: `https://${api.live.link_host}/spring`, path: 'spring', status: 'active' });
  t.match(link, { createdAt: /Z$/, expiresAt: '2039-12-31T23:00:00.000Z', utmSource: 'x', data: { snake_key: { a: 1 } } });
  t.equal((await service.links.create()).expiresAt, null);
  t.same(await service.links.get(link.id), link);
  const active = await service.links.list({ status: 'active', path: 'spr' }).toArray({ max: 10 });
  t.same(active, [link]);
  const read = await service.links.get(link.id);
  t.equal((await service.links.update(link.id, { status: 'disabled', data: null }, { ifMatch: etagOf(read) })).data, null);
  await t.rejects(service.links.update(link.id, { comments: 'x' }, { ifMatch: etagOf(read) }), PreconditionError);
  await t.rejects(service.links.delete(link.id, { ifMatch: etagOf(read) }), PreconditionError);
  t.equal((await service.links.stats(link.id, { range: '30d' })).range, '30d');
  t.match(Buffer.from(await service.links.qr(link.id)).toString(), '<svg');
  t.same([...(await service.links.qr(link.id, { format: 'png', size: 128 })).slice(1, 4)], [...Buffer.from('PNG')]);
  t.match(Buffer.from(await service.links.drawQr(link.id, { dots: 'dots', frameText: 'Scan me' })).toString(), '<svg');
  t.match(await service.links.test({ path: '/spring', userAgent: 'x' }), { linkId: link.id, outcome: 'disabled', deepLinkPath: null });
  t.equal(await service.links.delete(link.id), undefined);
  await t.rejects(service.links.get(link.id), NotFoundError);
  t.match(await service.links.restore(link.id), { id: link.id, status: 'disabled' });
  await service.links.delete(link.id);
});

t.test('links, campaigns and clicks come as files', async (t) => {
  const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();
  const link = await service.links.create({ path: 'exported' });
  const lines = textOf(await service.exports.links({ format: 'ndjson' }))
    .trimEnd()
    .split('\n');
  t.ok(
    lines.some((line) => JSON.parse(line).path === link.path),
    'a line for each link',
  );
  const moved = await service.imports.links({
    source: 'ndjson',
    rows: [{ destinations: { web: 'https://moved.example/' } }],
    dryRun: true,
  });
  t.match(moved, { created: 1, withLosses: 0, results: [{ row: 1, outcome: 'created' }] });
  t.match(textOf(await service.exports.campaigns()), /^key,/);
  t.match(textOf(await service.exports.clicks({ format: 'csv' })), /^id,/);
  await service.links.delete(link.id);
});

t.test('clicks are followed until the loop over them ends', async (t) => {
  const stop = new AbortController();
  const stream = service.clicks.stream({ signal: stop.signal });
  const next = stream[Symbol.asyncIterator]().next();
  await until(() => stream.lastEventId !== undefined, 'the beginning of the stream');
  stop.abort(new Error('enough'));
  await t.rejects(next, { message: 'enough' });
});

t.test('a list of more than a page is walked to its end', async (t) => {
  const ids = new Set<string>();
  for await (const { id } of service.links.list({ limit: 1 })) ids.add(id);
  const { data, nextCursor } = await service.links.list({ limit: 100 }).page();
  t.same(
    [...ids],
    data.map(({ id }) => id),
  );
  t.equal(nextCursor, null);
});

t.test('many links are made in chunks, and each result has its place in the whole', async (t) => {
  const progress: number[] = [];
  async function* given(): AsyncGenerator<LinkCreate> {
    for (let index = 0; index < 25; index++)
      yield index === 17 ? { path: 'no path', deepLinkPath: 'x' } : { deepLinkPath: `/p/${index}`, data: { index } };
  }
  const { created, failed, results } = await service.links.createMany(given(), {
    chunkSize: 10,
    onProgress: ({ done }) => progress.push(done),
  });
  t.same([created, failed, progress], [24, 1, [10, 20, 25]]);
  t.same(
    results.map(({ index }) => index),
    Array.from({ length: 25 }, (_, index) => index),
  );
  for (const item of results) {
    if ('link' in item) t.same([item.link.deepLinkPath, item.link.data], [`/p/${item.index}`, { index: item.index }]);
    else
      t.match(item, { index: 17, status: 422, error: { errors: [{ pointer: '/links/17/path' }, { pointer: '/links/17/deepLinkPath' }] } });
  }
  t.same(await service.links.createMany([]), { created: 0, failed: 0, results: [] });
  const noRights = (await api.makeKey('live', ['links:read'])).key;
  const reader = new LinkService({ secretKey: noRights, baseUrl: api.baseUrl });
  const error = await reader.links.createMany([{}]).catch((thrown: unknown) => thrown);
  t.ok(error instanceof BulkError);
  t.match(error, { done: { results: [] }, cause: { code: 'insufficient_scope' } });
});

t.test('types, templates, metadata API and resources', async (t) => {
  const type = await service.resourceTypes.create({ key: 'product', name: 'Product' });
  t.same(await service.resourceTypes.get(type.id), type);
  t.equal((await service.resourceTypes.update(type.id, { name: 'Products' })).name, 'Products');
  t.equal((await service.resourceTypes.list({ status: 'active' }).page()).data.length, 1);
  const template = await service.urlTemplates.create({
    resourceTypeId: type.id,
    pathPattern: '/p/{id}',
    idFormat: { kind: 'charset', charset: 'a-z', minLength: 1, maxLength: 9 },
    deepLinkPath: '/{type}/{id}',
    data: { item_id: '{id}' },
    redirects: { web: 'http://192.0.2.1/{id}' },
  });
  t.match(template, {
    resourceTypeId: type.id,
    urlExample: /\/p\//,
    data: { item_id: '{id}' },
    warnings: [{ code: 'destination_suspicious' }],
  });
  t.equal((await service.urlTemplates.get(template.id)).pathPattern, '/p/{id}');
  t.equal((await service.urlTemplates.list({ resourceTypeId: type.id }).page()).data.length, 1);
  t.match(await service.urlTemplates.test({ path: '/p/abc' }), {
    result: 'match',
    rendered: { deepLinkPath: '/product/abc', data: { item_id: 'abc' } },
  });
  await t.rejects(
    service.urlTemplates.create({ ...template, pathPattern: '/p/{id}', idFormat: template.idFormat } as never),
    ValidationError,
  );
  const configuration = await service.resourceTypes.metadataApi.put(type.id, {
    status: 'disabled',
    urlTemplate: 'https://api.example.com/{type}/{id}',
    auth: { type: 'api_key_header', headerName: 'X-Key', secret: 'a-credential' },
    headers: { 'X-My-Header': 'a' },
    fieldMapping: { title: 'name', imageUrl: 'image' },
    ttlSeconds: 60,
  });
  t.match(configuration, {
    auth: { headerName: 'X-Key', secretSet: true },
    headers: { 'X-My-Header': 'a' },
    fieldMapping: { imageUrl: 'image' },
  });
  t.same(await service.resourceTypes.metadataApi.get(type.id), configuration);
  t.equal((await service.resourceTypes.metadataApi.test(type.id, { id: 'abc' })).outcome, 'skipped');
  t.match(await service.resources.preview({ path: '/p/abc' }), { metadataApi: 'disabled', resource: { deepLinkPath: '/product/abc' } });
  t.match(await service.resources.invalidate({ resourceType: 'product', ids: ['abc'] }), {
    resourceType: 'product',
    requested: 1,
    removed: 0,
  });
  t.match(await service.resources.stats({ range: '7d' }), { types: [{ resourceType: 'product', metadataApi: { avgLatencyMs: null } }] });
  t.equal((await service.urlTemplates.update(template.id, { status: 'disabled' })).status, 'disabled');
});

t.test('campaigns, domains, environment and events', async (t) => {
  const campaign = await service.campaigns.create({ key: 'spring', name: 'Spring', utmSource: 'mail' });
  t.equal((await service.campaigns.get(campaign.id)).utmSource, 'mail');
  t.equal((await service.campaigns.list().page()).data.length, 1);
  t.equal((await service.campaigns.update(campaign.id, { utmSource: null })).utmSource, null);
  t.match(await service.campaigns.stats(campaign.id), { range: String });
  t.match(await service.stats.get(), { timezone: 'Europe/Berlin' });
  t.match(await service.stats.clicks({ breakdown: 'platform', compare: true }), { totals: { all: Number }, previous: Object });
  await t.rejects(service.campaigns.create({ key: 'spring', name: 'Again' }), ConflictError);
  const domain = await service.domains.create({ hostname: 'links.acme.org' });
  t.match(domain, { dnsRecord: { type: 'TXT' }, lastCheckedAt: null });
  t.equal((await service.domains.get(domain.id)).hostname, 'links.acme.org');
  t.equal((await service.domains.list().page()).data.length, 1);
  t.equal((await service.domains.verify(domain.id)).failureReason, 'record_missing');
  t.match(await service.domains.connection(domain.id), { dns: { status: 'missing' }, route: { error: 'no_address' }, certificate: null });
  const changed = await service.domains.update(domain.id, { caseInsensitive: true, redirects: { notFound: 'https://acme.org/404' } });
  t.match(changed, { caseInsensitive: true, redirects: { root: null, notFound: 'https://acme.org/404' } });
  t.same((await service.domains.casePairs(domain.id)).pairs, []);
  await service.domains.delete(domain.id);
  await service.links.create({ tags: ['sdk'] });
  const [tag] = (await service.tags.list({ search: 'sdk' }).page()).data;
  t.equal((await service.tags.update(tag?.id as string, { name: 'SDK' })).name, 'SDK');
  t.equal((await service.tags.get(tag?.id as string)).name, 'SDK');
  await service.tags.delete(tag?.id as string);
  t.equal((await service.environment.update({ attributionWindowMinutes: 60 })).attributionWindowMinutes, 60);
  t.equal((await service.environment.get()).linkHost, api.live.link_host);
  const keys = await service.keys.list({ status: 'active' }).toArray({ max: 10 });
  t.match(
    keys.find(({ kind }) => kind === 'publishable'),
    { last4: api.liveAppKey.slice(-4), revokedAt: null, lastUsedAt: null },
  );
  t.same((await service.key.get()).scopes, ['links:read', 'links:write', 'analytics:read', 'webhooks:write']);
  t.match(await service.health.get(), {
    status: 'degraded',
    parts: [{ part: 'redirects', ok: false, since: null }],
    webhookQueue: { dueSince: null },
  });
  const event = await service.events.track({ name: 'purchase', installId: 'i', properties: { my_sku: 1 } });
  t.match(event, { source: 'server', installId: 'i', properties: { my_sku: 1 } });
  t.match((await service.events.list({ type: 'event.tracked' }).page()).data, [{ id: event.id }]);
  t.match((await service.events.tracked().page()).data, [{ id: event.id }]);
  t.match(await service.stats.conversions(), { timezone: 'Europe/Berlin' });
  t.same((await service.installs.list().page()).data, []);
  await t.rejects(service.installs.get('i'), NotFoundError);
  await service.installs.delete('i');
  await t.rejects(service.installs.delete('i'), NotFoundError);
  t.match(await service.events.trigger({ type: 'link.created' }), { type: 'link.created', test: true });
});

t.test('views and their public links', async (t) => {
  const view = await service.views.create({ name: 'Spring', breakdown: 'utm_source', filters: { utmCampaign: 'spring' } });
  t.match(await service.views.get(view.id), { range: 'last_30_days', filters: { utmCampaign: 'spring' } });
  t.equal((await service.views.list().page()).data.length, 1);
  t.equal((await service.views.update(view.id, { measure: 'unique' })).measure, 'unique');
  const { token, path } = await service.views.share(view.id);
  t.match(path, token);
  t.match(await service.views.readShared({ token }), { name: 'Spring', breakdownBy: 'utm_source', filters: [{ value: 'spring' }] });
  t.equal((await service.views.updateShare(view.id, { password: 'x' })).hasPassword, true);
  await t.rejects(service.views.readShared({ token }), { code: 'password_required' });
  t.equal((await service.views.getShare(view.id)).hasPassword, true);
  await service.views.revokeShare(view.id);
  await service.views.delete(view.id);
});

t.test('webhooks and their deliveries', async (t) => {
  const webhook = await service.webhooks.create({ url: 'https://hooks.acme.org/e', events: ['link.created'] });
  t.match(webhook.secret, /^whsec_/);
  t.notOk('secret' in (await service.webhooks.get(webhook.id)));
  t.equal((await service.webhooks.list().page()).data.length, 1);
  t.equal((await service.webhooks.update(webhook.id, { description: 'x' })).description, 'x');
  t.not((await service.webhooks.rotateSecret(webhook.id)).secret, webhook.secret);
  const delivery = await service.webhooks.test(webhook.id);
  t.match(delivery, { webhookId: webhook.id, kind: 'test', status: 'pending', nextAttemptAt: null });
  await api.database.query({ text: `UPDATE webhook_deliveries SET status = 'failed', due_at = NULL WHERE id = $1`, values: [delivery.id] });
  t.match(await service.webhooks.deliveries.replay(webhook.id, delivery.id), { kind: 'replay', eventId: delivery.eventId });
  t.equal((await service.webhooks.deliveries.list(webhook.id, { status: 'failed' }).page()).data.length, 1);
  const window = { from: new Date(Date.now() - 3_600_000).toISOString(), to: new Date(Date.now() + 60_000).toISOString() };
  t.same(await service.webhooks.deliveries.replayFailures(webhook.id, window), {
    ...{ queued: 0, notKept: 0, nextFrom: null, nextTo: null, nextCursor: null },
  });
  t.equal((await service.webhooks.test(webhook.id, { eventType: 'link.created' })).eventType, 'link.created');
  await service.webhooks.delete(webhook.id);
});

t.test('an id that is none of ours stays within its place in the path', async (t) => {
  await t.rejects(service.links.get('../environment'), NotFoundError);
  await t.rejects(service.links.get('a?b#c'), NotFoundError);
});

t.test('there is a method for every operation that a secret key opens', async (t) => {
  t.same(
    [...called].filter((id) => !OPERATION_IDS.some((known) => known === id)),
    [],
    'and for no other',
  );
  t.same(
    OPERATION_IDS.filter((id) => routeOf(id).key === undefined && !called.has(id)),
    [],
  );
});
