import t from 'tap';
import type { UrlTemplateWithWarnings, UrlTestResult } from '../../shared/contract/schemas/url-template.js';
import { startStack } from '../support/stack.js';
import { until } from '../support/until.js';
import { ANDROID, createVisitor, DESKTOP, IPHONE } from '../support/visitor.js';

t.test('a template made over REST redirects its items by platform, and visitors see each change of its status', async (t) => {
  const stack = await startStack(t);
  const { controlPlane, project, engine } = stack;
  const call = async <Body>(method: string, path: string, body?: unknown) => controlPlane.call<Body>(project, method, path, body);
  const type = (await call<{ id: string }>('POST', '/resource-types', { key: 'product', name: 'Products' })).body;
  const made = await call<UrlTemplateWithWarnings>('POST', '/url-templates', {
    resource_type_id: type.id,
    path_pattern: '/p/item-{id}',
    id_format: { kind: 'charset', charset: 'a-z0-9 é', min_length: 1, max_length: 20 },
    deep_link_path: '/{type}/{id}',
    redirects: {
      ios: 'https://apps.apple.com/app/id1',
      android: 'https://android.example/{id}',
      web: 'https://shop.example/{type}?id={id}',
    },
    allow_param_passthrough: true,
  });
  t.equal(made.status, 201);
  const template = made.body;

  const visitor = createVisitor(engine.port, project.linkHost);
  t.teardown(() => visitor.close());
  const location = async (path: string, userAgent?: string) => (await visitor.visit(path, userAgent)).location;
  const status = async (path: string) => (await visitor.visit(path)).status;
  await until(async () => (await status('/p/item-ready')) === 302, 'the template to be in effect');

  const shown = 'https://shop.example/product?id=caf%C3%A9%201';
  t.equal(await location('/p/item-caf%C3%A9%201/?ref=mail', DESKTOP), `${shown}&ref=mail`);
  t.equal(await location('/p/item-42', ANDROID), 'https://android.example/42');
  t.match(await location('/p/item-42', IPHONE), /^http:\/\/open\.go\.demo\.example(:\d+)?\/p\/item-42\?click_id=clk_[0-9a-z]{26}$/);
  for (const path of ['/p/item-', '/p/item-A', '/p/item-%zz', '/p/42', '/P/item-42', '/p/item-42/x'])
    t.equal(await status(path), 404, path);

  const tried = (
    await call<UrlTestResult>('POST', '/url-templates/test', { path: `http://${project.linkHost}/p/item-caf%C3%A9%201?ref=mail` })
  ).body;
  t.match(tried, { result: 'match', template_id: template.id, id: 'café 1', rendered: { deep_link_path: '/product/caf%C3%A9%201' } });
  t.match(
    tried.trace.at(-1)?.inputs,
    { outcome: 'redirect', destination: `${shown}&ref=mail` },
    'the tester shows the destination that the visitor got',
  );

  const clicks = () =>
    stack.rows<Record<string, unknown>>(
      `SELECT kind, subject_id::text AS subject, resource_type_id IS NOT NULL AS typed, item_id, platform, path, params
       FROM clicks WHERE item_id <> 'ready' ORDER BY occurred_at, id`,
    );
  await until(async () => (await clicks()).length >= 3, 'three clicks in the log');
  t.match(await clicks(), [
    { kind: 'template', typed: true, item_id: 'café 1', platform: 'desktop', path: 'p/item-caf%C3%A9%201', params: 'ref=mail' },
    { kind: 'template', typed: true, item_id: '42', platform: 'android' },
    { kind: 'template', typed: true, item_id: '42', platform: 'ios' },
  ]);
  t.equal(new Set((await clicks()).map(({ subject }) => subject)).size, 1);

  const patch = (path: string, body: unknown) => call<unknown>('PATCH', path, body);
  await patch(`/url-templates/${template.id}`, { status: 'disabled' });
  await until(async () => (await status('/p/item-42')) === 404, 'the disabled template');
  const overlapping = { ...bodyOf(type.id), path_pattern: '/p/{id}' };
  t.equal((await call('POST', '/url-templates', overlapping)).status, 409, 'a disabled template keeps its pattern');
  await patch(`/url-templates/${template.id}`, { status: 'active' });
  await until(async () => (await status('/p/item-42')) === 302, 'the template enabled again');
  await patch(`/url-templates/${template.id}`, { status: 'archived' });
  t.equal((await call('POST', '/url-templates', overlapping)).status, 201, 'an archived template frees its pattern');
  await until(async () => (await location('/p/item-42')) === 'https://new.example/item-42', 'the next template on the same path');
  await patch(`/resource-types/${type.id}`, { status: 'archived' });
  await until(async () => (await status('/p/item-42')) === 404, 'the archived type');
});

function bodyOf(typeId: string) {
  return {
    resource_type_id: typeId,
    id_format: { kind: 'preset', preset: 'base64url' },
    deep_link_path: '/{id}',
    redirects: { web: 'https://new.example/{id}' },
  };
}
