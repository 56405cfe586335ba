import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { within } from '../../../shared/base/within.js';

t.test('the result of work that ends in time, and null for work that does not', async (t) => {
  t.equal(await within(10_000, Promise.resolve('done')), 'done');
  await t.rejects(within(10_000, Promise.reject(new Error('failed'))), { message: 'failed' });
  t.equal(await within(1, setTimeout(10_000, 'late', { ref: false })), null);
});
