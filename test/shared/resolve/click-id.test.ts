import t from 'tap';
import { idFloor, newId } from '../../../shared/base/ids.js';
import { OPEN_PAGE_VISIT_MS } from '../../../shared/base/limits.js';
import { isOfThisVisit, splitClickId, withoutForgedClickId } from '../../../shared/resolve/click-id.js';
import { CLICK_ID } from '../../engine/fixtures.js';
import { TEST_SPOOL_KEYS } from '../../support/spool-keys.js';

t.test('a click id is read only at the start of the query, and only if it is valid', async (t) => {
  t.same(splitClickId(`click_id=${CLICK_ID}&a=1`), { clickId: CLICK_ID, query: 'a=1' });
  t.same(splitClickId(`click_id=${CLICK_ID}`), { clickId: CLICK_ID, query: '' });
  for (const query of [
    'click_id=%3Cscript%3E&a=1',
    `a=1&click_id=${CLICK_ID}`,
    `click_id=${CLICK_ID.toUpperCase()}`,
    `click_id=${CLICK_ID}x&a=1`,
    `click_ids=${CLICK_ID}`,
    'click_id=',
    'click_id',
    '',
  ])
    t.same(splitClickId(query), { clickId: '', query }, query);
});

t.test('a click belongs to the visit for half an hour, whichever clock is ahead', async (t) => {
  const now = 1_700_000_000_000;
  for (const [difference, expected] of [
    [0, true],
    [OPEN_PAGE_VISIT_MS, true],
    [OPEN_PAGE_VISIT_MS + 1, false],
  ] as const) {
    t.equal(isOfThisVisit(idFloor('click', now - difference), now), expected);
    t.equal(isOfThisVisit(idFloor('click', now + difference), now), expected);
  }
  t.notOk(isOfThisVisit('', now));
});

t.test('a click id that no link host has signed is removed from the query, and a signed one stays', async (t) => {
  const keys = TEST_SPOOL_KEYS.clickIds;
  t.equal(withoutForgedClickId(`click_id=${CLICK_ID}&a=1`, keys), `click_id=${CLICK_ID}&a=1`);
  t.equal(withoutForgedClickId(`click_id=${newId('click')}&a=1`, keys), 'a=1');
  t.equal(withoutForgedClickId(`click_id=${newId('click')}`, keys), '');
  for (const query of ['', 'a=1', 'click_id=mine', `a=1&click_id=${newId('click')}`]) t.equal(withoutForgedClickId(query, keys), query);
});
