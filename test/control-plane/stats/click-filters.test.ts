import t from 'tap';
import type { ClickCondition } from '../../../control-plane/click-figures/click-groups.js';
import { conditionSql } from '../../../control-plane/click-figures/log/count-groups.js';
import { createParameters } from '../../../control-plane/db/parameters.js';
import { readClickFilters, shownValue } from '../../../control-plane/stats/click-filters.js';
import { idToUuid, newId } from '../../../shared/base/ids.js';
import { CLICK_FILTERS } from '../../../shared/contract/schemas/clicks-query.js';

const never = { query: () => Promise.reject(new Error('nothing is looked up')) };

t.test('the value of a filter is always a parameter, and an empty one means clicks without a value', async (t) => {
  for (const name of CLICK_FILTERS) {
    if (name === 'resource_type') continue;
    const given = name === 'link' ? newId('link') : `'; DROP TABLE clicks`;
    const parameters = createParameters();
    const [condition] = await readClickFilters(never, 'env_1', { [name]: given });
    t.notMatch(conditionSql(condition as Exclude<ClickCondition, 'counted'>, parameters), 'DROP', name);
    t.same(parameters.values, [name === 'link' ? idToUuid('link', given) : given]);
    const [empty] = await readClickFilters(never, 'env_1', { [name]: '' });
    t.match(conditionSql(empty as Exclude<ClickCondition, 'counted'>, createParameters()), / IS NULL$/);
  }
  t.same(await readClickFilters(never, 'env_1', { from: '2026-11-01', breakdown: 'link' }), []);
});

t.test('groups are shown with the ids and keys of the API', (t) => {
  const type = newId('resourceType');
  const link = newId('link');
  const keys = new Map([[type, 'product']]);
  t.equal(shownValue('link', idToUuid('link', link), keys), link);
  t.equal(shownValue('resource_type', idToUuid('resourceType', type), keys), 'product');
  t.equal(shownValue('resource_type', idToUuid('resourceType', newId('resourceType')), keys), null);
  t.equal(shownValue('country', 'DE', keys), 'DE');
  t.equal(shownValue('country', null, keys), null);
  t.end();
});
