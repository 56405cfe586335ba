import t from 'tap';
import { callMetadataApi, compileMetadataApi } from '../../../shared/metadata/call.js';
import type { MetadataConfiguration } from '../../../shared/metadata/configuration.js';
import type { BoundedRequest, RequestOutcome } from '../../../shared/net/bounded-request.js';

const configuration: MetadataConfiguration = {
  status: 'active',
  url_template: 'https://api.example.com/{type}/{id}?x={id}',
  auth: { type: 'bearer', header_name: null },
  headers: { 'X-Extra': '1' },
  timeout_ms: 1200,
  ttl_seconds: 3600,
  negative_ttl_seconds: 300,
  stale_if_error_seconds: 86_400,
  max_concurrency: 10,
  max_requests_per_minute: 600,
  field_mapping: { title: 'name', image_url: 'img', canonical_url: 'page' },
  field_defaults: {},
  required_fields: ['title'],
  status_values: { published: [], unpublished: [], deleted: [] },
  allowed_image_hosts: [],
};

const context = { type: 'product', service_name: 'Service', credential: 'the-credential' };

async function callWith(outcome: RequestOutcome, listed: readonly string[] = [], change: Partial<MetadataConfiguration> = {}) {
  const api = compileMetadataApi({ ...configuration, ...change }, context);
  const sent: BoundedRequest[] = [];
  const sender = {
    request: async (request: BoundedRequest) => {
      sent.push(request);
      return outcome;
    },
  };
  return { made: await callMetadataApi(api, 'a/b', sender, async () => new Set(listed)), sent };
}

t.test('a call is one limited request with the credential in its headers alone', async (t) => {
  const body = Buffer.from('{"name":"Shoe"}');
  const { made, sent } = await callWith({ kind: 'answered', status: 200, body, truncated: false, latencyMs: 17 });
  t.equal(sent.length, 1);
  t.match(sent[0], {
    method: 'GET',
    headers: { authorization: 'Bearer the-credential', 'X-Extra': '1', accept: 'application/json' },
    timeoutMs: 1200,
    readBytesMax: 256 * 1024,
    keptBytesMax: 256 * 1024,
  });
  t.equal(sent[0]?.url.href, 'https://api.example.com/product/a%2Fb?x=a%2Fb');
  t.equal(made.shownBody(10), '{"name":"S');
  t.match(made, { request_url: sent[0]?.url.href, latency_ms: 17, answer: { outcome: 'ok', metadata: { title: 'Shoe' } } });
  t.notMatch(JSON.stringify(made), /the-credential/);
});

t.test('a body that was cut off counts as too large, and a failed call has its reason', async (t) => {
  const large = await callWith({ kind: 'answered', status: 200, body: Buffer.from('{}'), truncated: true, latencyMs: 1 });
  t.match(large.made.answer, { outcome: 'invalid', reason: 'too_large' });
  const failed = await callWith({ kind: 'failed', error: 'timeout', status: 200, body: Buffer.alloc(0), latencyMs: 1200 });
  t.match(failed.made, { latency_ms: 1200, answer: { outcome: 'error', reason: 'timeout', metadata: null } });
});

t.test('a URL on the block list is left out of the answer, with an issue', async (t) => {
  const body = Buffer.from('{"name":"Shoe","img":"https://evil.example/a.png","page":"https://good.example/"}');
  const reply = { kind: 'answered', status: 200, body, truncated: false, latencyMs: 1 } as const;
  const { made } = await callWith(reply, ['https://evil.example/a.png']);
  t.match(made.answer, {
    outcome: 'ok',
    metadata: { title: 'Shoe', image_url: null, canonical_url: 'https://good.example/' },
    issues: [{ field: 'image_url', code: 'url_blocked' }],
  });
  const { made: clean } = await callWith(reply);
  t.match(clean.answer, { metadata: { image_url: 'https://evil.example/a.png' }, issues: [] });
});

t.test('a URL on the block list is as unusable as a malformed one: a default replaces it, and a required field is missing', async (t) => {
  const body = Buffer.from('{"name":"Shoe","img":"https://evil.example/a.png","page":"https://good.example/"}');
  const reply = { kind: 'answered', status: 200, body, truncated: false, latencyMs: 1 } as const;
  const [image, standIn] = ['https://evil.example/a.png', 'https://good.example/stand-in.png'];
  const field_defaults = { image_url: standIn, web_fallback_url: 'https://evil.example/fallback' };
  const blocked = (field: string) => ({ field, code: 'url_blocked' });
  for (const [listed, change, expected] of [
    [[image], { field_defaults }, { outcome: 'ok', metadata: { image_url: standIn }, issues: [blocked('image_url')] }],
    [[image, standIn], { field_defaults }, { outcome: 'ok', metadata: { image_url: null }, issues: [blocked('image_url')] }],
    [[standIn], { field_defaults }, { outcome: 'ok', metadata: { image_url: image }, issues: [] }],
    [
      [field_defaults.web_fallback_url],
      { field_defaults },
      { metadata: { web_fallback_url: null }, issues: [blocked('web_fallback_url')] },
    ],
    [[image], { required_fields: ['image_url'] }, { outcome: 'invalid', reason: 'missing_required_field' }],
    [[image], { required_fields: ['image_url'], field_defaults }, { outcome: 'ok', metadata: { image_url: standIn } }],
  ] as const)
    t.match((await callWith(reply, listed, change)).made.answer, expected, JSON.stringify([listed, change]));
});
