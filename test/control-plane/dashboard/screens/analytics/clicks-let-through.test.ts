import t from 'tap';
import { letsThrough } from '../../../../../control-plane/dashboard/screens/analytics/clicks-let-through.js';
import type { EventData } from '../../../../../shared/contract/schemas/events.js';

const CLICK = {
  link_id: 'lnk_1',
  item_id: null,
  resource_type: null,
  campaign: 'spring',
  country: 'DE',
  referrer_host: null,
  source: 'link',
} as unknown as EventData<'click.created'>;

t.test('filters let the same clicks through as in the statistics, as far as the event of a click tells', (t) => {
  for (const [filters, wanted] of [
    [{}, true],
    [{ link: 'lnk_1', country: 'DE' }, true],
    [{ link: 'lnk_2' }, false],
    [{ link: '' }, false],
    [{ item: '' }, true],
    [{ item: 'i1' }, false],
    [{ referrer_host: '' }, true],
    [{ referrer_host: 'news.example' }, false],
    [{ campaign: 'spring', country: 'FR' }, false],
    [{ source: 'link' }, true],
    [{ tag: 'print' }, true],
    [{ tag: 'print', country: 'FR' }, false],
  ] as const)
    t.equal(letsThrough(filters, CLICK), wanted, JSON.stringify(filters));
  t.end();
});
