import t from 'tap';
import { sumsByTime, sumsOfFigures, sumsOfGroups } from '../../../../control-plane/click-store/clickhouse/click-sums.js';
import { rangeSql, Values } from '../../../../control-plane/click-store/clickhouse/sql.js';
import type { StatsWindow } from '../../../../control-plane/local-days/window.js';

const window = {} as StatsWindow;

t.test('figures of an environment or a campaign have sums, and those of a link have none', async (t) => {
  const cases = [
    [{ window }, 'platform', { dimension: 'platform', campaign: '' }],
    [{ window }, 'item', { dimension: 'item', campaign: '' }],
    [{ window }, 'link', { dimension: 'link', campaign: '', subject: 'value' }],
    [{ window }, 'campaign_link', null],
    [{ window, campaign: 'spring' }, 'campaign_link', { dimension: 'link', campaign: 'spring', subject: 'value' }],
    [{ window, campaign: 'spring' }, 'country', { dimension: 'country', campaign: 'spring' }],
    [{ window, campaign: 'spring' }, 'item', null],
    [{ window, campaign: 'spring' }, 'type', null],
    [{ window, link: 'l' }, 'platform', null],
  ] as const;
  for (const [scope, dimension, wanted] of cases)
    t.match(sumsOfFigures(scope, dimension), wanted ?? null, `${JSON.stringify(scope)} ${dimension}`);
});

t.test('days and hours of an environment and days of a campaign have sums', async (t) => {
  t.match(sumsByTime({ window }, 'total'), { dimension: 'day', campaign: '' });
  t.match(sumsByTime({ window }, 'hour'), { dimension: 'hour', campaign: '' });
  t.match(sumsByTime({ window, campaign: 'spring' }, 'campaign'), { dimension: 'day', campaign: 'spring' });
  t.equal(sumsByTime({ window, campaign: 'spring' }, 'hour'), null);
  t.equal(sumsByTime({ window }, 'link'), null, 'clicks on links have no sums by time');
  t.equal(sumsByTime({ window, link: 'l' }, 'link'), null);
});

t.test('groups have sums only without a condition or for one campaign', async (t) => {
  const country = { field: 'country' } as const;
  t.match(sumsOfGroups([], country, false), { dimension: 'country', campaign: '' });
  t.match(sumsOfGroups(['counted'], country, false), { dimension: 'country', campaign: '' });
  const spring = { field: 'campaign', value: 'spring' } as const;
  t.match(sumsOfGroups([spring], country, false), { dimension: 'country', campaign: 'spring' });
  t.equal(sumsOfGroups([spring], { field: 'browser' }, false), null);
  for (const condition of [
    { field: 'campaign', value: null },
    { field: 'campaign', value: '' },
    { field: 'campaign', among: ['spring'] },
    { field: 'platform', value: 'ios' },
    { tagOf: 'env', tag: 'sale' },
    'never',
  ] as const)
    t.equal(sumsOfGroups([condition], country, false), null, JSON.stringify(condition));
  t.equal(sumsOfGroups([spring, { field: 'country', value: 'DE' }], country, false), null);
});

t.test('groups are read from the sums with the same grouping, and others have none', async (t) => {
  t.match(sumsOfGroups([], 'nothing', false), { dimension: 'day', value: `''` });
  t.match(sumsOfGroups([], 'item of type', false), { dimension: 'item', subject: 'subject' });
  t.match(sumsOfGroups([], { starts: [] }, false), { dimension: 'day', value: 'value' });
  t.match(sumsOfGroups([], { starts: [] }, true), { dimension: 'hour', value: 'value' });
  t.equal(sumsOfGroups([], { field: 'item' }, false), null, 'items without their type have no sums, because two types may share an id');
  t.equal(sumsOfGroups([], { tagsOf: 'env' }, false), null);
});

t.test('the range of clicks to read excludes the days that have sums', async (t) => {
  const at = (day: number) => new Date(Date.UTC(2026, 10, day));
  const summed = (...days: readonly number[]) => days.map((day) => ({ day: '', version: '1', from: at(day), to: at(day + 1) }));
  const partsOf = (days: readonly number[]) => {
    const values = new Values();
    const sql = rangeSql({ environment_number: 1, from: at(1), to: at(6) }, values, summed(...days));
    const times = Object.values(values.values).filter((value): value is number => typeof value === 'number' && value > 1);
    return { times: times.map((time) => new Date(time).getUTCDate()), isNone: sql.includes('false') };
  };
  t.same(partsOf([]), { times: [1, 6], isNone: false });
  t.same(partsOf([1, 2]), { times: [3, 6], isNone: false });
  t.same(partsOf([2, 3]), { times: [1, 2, 4, 6], isNone: false });
  t.same(partsOf([1, 3, 5]), { times: [2, 3, 4, 5], isNone: false });
  t.same(partsOf([1, 2, 3, 4, 5]), { times: [], isNone: true });
});
