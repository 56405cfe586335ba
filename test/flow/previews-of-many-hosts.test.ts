import t from 'tap';
import { startCustomerApi } from '../support/customer-api.js';
import { startEngine } from '../support/engine.js';
import { askCard, makePreviewedType } from '../support/preview-bots.js';
import { startStack } from '../support/stack.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

t.test('a host with the redirect role alone shows cards that another host fetches', async (t) => {
  const api = await startCustomerApi(t, (path, response) => response.end(JSON.stringify({ name: `card of ${path.split('/').at(-1)}` })));
  const stack = await startStack(t, { environment: { OUTBOUND_ALLOW: api.origin, ENGINE_ROLES: 'redirect' } });
  const environment = { OUTBOUND_ALLOW: api.origin, ENGINE_ROLES: 'background' };
  const caller = await startEngine({ ...stack.engineOptions, dataDir: temporaryFolder(t), environment });
  t.teardown(() => caller.stop());
  await caller.whenReady();
  await makePreviewedType(stack, 'product', { url_template: `${api.origin}/{id}`, field_mapping: { title: 'name' }, timeout_ms: 5000 });
  await until(async () => (await askCard(stack, '/product/ready')).title === 'card of ready', 'the first card');
  const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => askCard(stack, `/product/item-${n % 20}`)));
  for (const [n, { title }] of answers.entries()) t.equal(title, `card of item-${n % 20}`);
  const paths = api.calls.map(({ path }) => path).filter((path) => path.includes('/item-'));
  t.equal(paths.length, 20, 'the API is called once for each item');
});
