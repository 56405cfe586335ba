import type { Test } from 'tap';
import { importBlocklist } from '../../control-plane/blocklist/import.js';
import { createPool, createDatabase as databaseOf } from '../../control-plane/db/database.js';
import { startCustomerApi } from '../support/customer-api.js';
import { askCard, makePreviewedType } from '../support/preview-bots.js';
import { startStack } from '../support/stack.js';
import { until } from '../support/until.js';
import { createVisitor } from '../support/visitor.js';

/**
 * Promise A9: soon after the import, a host that is listed later is no longer emitted, whether a link leads there by its own
 * destination, by the default destination of its environment, or by the image of its card, which may be a remembered answer of a
 * metadata API. Returns how long that took, in milliseconds.
 */
export async function listLater(t: Test, withinMs: number): Promise<number> {
  const image = 'https://later.example/item.png';
  const api = await startCustomerApi(t, (path, response) => response.end(JSON.stringify({ name: `card of ${path.slice(1)}`, image })));
  const stack = await startStack(t, { environment: { OUTBOUND_ALLOW: api.origin } });
  const { controlPlane, project, engine } = stack;
  const change = async (method: string, path: string, body: object) => {
    const { status } = await controlPlane.call(project, method, path, body);
    t.ok(status === 200 || status === 201, `${method} ${path}: ${status}`);
  };
  await change('PATCH', '/environment', { default_destinations: { web: 'https://later.example{deep_link_path}' } });
  const fine = { web: 'https://destination.example/' };
  await change('POST', '/links', { path: 'by-default' });
  await change('POST', '/links', { path: 'by-itself', destinations: { ...fine, ios: 'https://www.later.example/' } });
  await change('POST', '/links', { path: 'by-card', destinations: fine, card: { title: 'a', image_url: 'https://later.example/a.png' } });
  await change('POST', '/links', { path: 'elsewhere', destinations: fine });
  await makePreviewedType(stack, 'product', { url_template: `${api.origin}/{id}`, field_mapping: { title: 'name', image_url: 'image' } });
  await until(async () => (await askCard(stack, '/product/shoe')).body.includes(image), 'a card with the image');
  const visitor = createVisitor(engine.port, project.linkHost);
  t.teardown(() => visitor.close());
  const statuses = async () => {
    const seen: number[] = [];
    for (const path of ['by-default', 'by-itself', 'by-card', 'elsewhere']) seen.push((await visitor.visit(`/${path}`)).status);
    return seen.join(' ');
  };
  await until(async () => (await statuses()) === '302 302 302 302', 'all links to redirect');
  const pool = createPool(stack.databaseUrl, 1, 'test', () => {});
  const chunks = (async function* () {
    yield Buffer.from('later.example\n');
  })();
  await importBlocklist(databaseOf(pool), { name: 'test', format: 'plain', chunks, strict: true });
  await pool.end();
  const beganAt = performance.now();
  const cardIsClean = async () => {
    const { title, body } = await askCard(stack, '/product/shoe');
    return title === 'card of shoe' && !body.includes('later.example');
  };
  await until(
    async () => (await statuses()) === '403 403 403 302' && (await cardIsClean()),
    'the listed host to be in no answer',
    withinMs,
  );
  return performance.now() - beganAt;
}
