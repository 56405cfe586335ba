import t from 'tap';
import { DayCount } from '../../../../control-plane/click-figures/day-count/day-count.js';
import { CountedClick, TEXT } from '../../../../control-plane/click-figures/day-count/logged-clicks.js';
import { DIMENSION_NAMES } from '../../../../control-plane/click-figures/dimensions.js';
import { parseBreakdown } from '../../../../control-plane/click-figures/reading/breakdowns.js';
import fc from '../../../support/properties.js';

const NOBODY = '\0'.repeat(16);
const uuid = (letter: string) => letter.repeat(16);

/** Clicks of a few visitors with every combination of properties, so that some visitors have dozens of visits on the day. */
const anyClick = fc
  .record({
    environment_number: fc.constantFrom(1, 2),
    quarter: fc.integer({ min: 0, max: 95 }),
    is_link: fc.boolean(),
    subject_id: fc.constantFrom('a', 'b', 'c').map(uuid),
    resource_type_id: fc.constantFrom('t', 'u').map(uuid),
    item_id: fc.constantFrom('', '1', '2'),
    platform: fc.constantFrom('ios', 'android', 'desktop'),
    country: fc.constantFrom('', 'DE', 'FR'),
    // So many values that breakdowns are also taken as changes.
    referrer_host: fc.integer({ min: 0, max: 80 }).map((number) => (number === 0 ? '' : `${number}.example`)),
    campaign: fc.constantFrom('', 'spring', 'autumn'),
    visitor_high: fc.constantFrom(-1, 0, 1),
    visitor_low: fc.constantFrom(0, 7),
    bot: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  })
  .map((click) => ({ ...click, hour: click.quarter - (click.quarter % 4) }));

type Numbers = Pick<CountedClick, 'environment_number' | 'quarter' | 'is_link' | 'visitor_high' | 'visitor_low' | 'bot'>;
type Click = Numbers & Readonly<Record<keyof typeof TEXT, string>> & { readonly hour: number };

/** The click as it is read from the log, between other bytes. */
function counted({ environment_number, quarter, is_link, visitor_high, visitor_low, bot, ...click }: Click): CountedClick {
  const counted = Object.assign(new CountedClick(), { environment_number, quarter, is_link, visitor_high, visitor_low, bot });
  let texts = '>>';
  for (const [name, place] of Object.entries(TEXT) as [keyof typeof TEXT, number][]) {
    counted.starts[place] = texts.length;
    texts += click[name];
    counted.ends[place] = texts.length;
    texts += '--';
  }
  counted.bytes = Buffer.from(texts, 'latin1');
  return click.hour % 8 === 0 ? counted : counted.copy();
}

const CLICK: Click = {
  hour: 0,
  environment_number: 3,
  quarter: 0,
  is_link: true,
  subject_id: uuid('a'),
  resource_type_id: NOBODY,
  item_id: '',
  platform: 'ios',
  country: '',
  referrer_host: '',
  campaign: '',
  visitor_high: 0,
  visitor_low: 0,
  bot: false,
};

/** The keys of the figures in which the click counts: environment, dimension, subject, campaign, value. */
function keysOf(click: Click): readonly string[] {
  const { environment_number: environment, platform, country, referrer_host: referrer, campaign, subject_id: link } = click;
  const keys: string[][] = [
    ['total', NOBODY, '', ''],
    ['hour', NOBODY, '', String(click.hour * 900)],
    ['platform', NOBODY, '', platform],
    ['country', NOBODY, '', country],
    ['referrer', NOBODY, '', referrer],
  ];
  const visitors = [
    ['platform', platform],
    ['country', country],
    ['referrer', referrer],
  ] as const;
  if (click.is_link) keys.push(['link', link, '', ''], ...visitors.map(([dimension, value]) => [`of_${dimension}`, link, '', value]));
  else keys.push(['type', click.resource_type_id, '', ''], ['item', click.resource_type_id, '', click.item_id]);
  if (campaign !== '')
    keys.push(['campaign', NOBODY, campaign, ''], ...visitors.map(([dimension, value]) => [`of_${dimension}`, NOBODY, campaign, value]));
  if (campaign !== '' && click.is_link) keys.push(['campaign_link', link, campaign, '']);
  return keys.map((key) => [environment, ...key].join('|'));
}

function figuresByHand(clicks: readonly Click[]): ReadonlyMap<string, string> {
  const groups = new Map<string, Click[]>();
  for (const click of clicks) for (const key of keysOf(click)) groups.set(key, [...(groups.get(key) ?? []), click]);
  return new Map(
    [...groups].map(([key, group]) => {
      const people = group.filter(({ bot }) => !bot);
      const visitors = new Set(people.map(({ visitor_high, visitor_low }) => `${visitor_high} ${visitor_low}`));
      return [key, `${group.length} ${people.length} ${visitors.size}`];
    }),
  );
}

/** Rows as they are stored: figures, and for each breakdown its lines and the number of its latest change. */
interface Stored {
  readonly figures: Map<string, string>;
  readonly breakdowns: Map<string, { readonly lines: Map<string, string>; change: number }>;
}

/** Replaces the stored rows with those that have changed. */
function take(count: DayCount, { figures, breakdowns }: Stored): void {
  for (const { environment_number, dimension, subject_id, campaign, value, clicks, human, visitors } of count.takeFigures())
    figures.set([environment_number, DIMENSION_NAMES[dimension], subject_id, campaign, value].join('|'), `${clicks} ${human} ${visitors}`);
  for (const { environment_number, subject_id, campaign, figures, change } of count.takeBreakdowns()) {
    const key = [environment_number, subject_id, campaign].join('|');
    const stored = change === 0 ? { lines: new Map<string, string>(), change: 0 } : breakdowns.get(key);
    if (stored === undefined || change < stored.change + (change === 0 ? 0 : 1))
      throw new Error(`${key}: change ${change} follows nothing`);
    stored.change = change;
    breakdowns.set(key, stored);
    for (const { dimension, value, all, human, unique } of parseBreakdown(figures.toString()))
      stored.lines.set([environment_number, `of_${dimension}`, subject_id, campaign, value].join('|'), `${all} ${human} ${unique}`);
  }
}

function sorted({ figures, breakdowns }: Stored): ReadonlyMap<string, string> {
  return new Map([...figures, ...[...breakdowns.values()].flatMap(({ lines }) => [...lines])].sort());
}

t.test('the figures of a day equal a count of its clicks after every round, also for visitors with many visits', async (t) => {
  await fc.assert(
    fc.property(fc.array(fc.array(anyClick, { maxLength: 120 }), { maxLength: 24 }), (rounds) => {
      const count = new DayCount();
      const stored: Stored = { figures: new Map(), breakdowns: new Map() };
      for (const [index, clicks] of rounds.entries()) {
        for (const click of clicks) count.add(counted(click), click.hour);
        take(count, stored);
        t.equal(count.hasChanged, false);
        t.strictSame(sorted(stored), new Map([...figuresByHand(rounds.slice(0, index + 1).flat())].sort()));
      }
    }),
    { numRuns: 60 },
  );
});

t.test('a breakdown with many lines is stored as its changed lines, and now and then as a whole', async (t) => {
  const count = new DayCount();
  const lines = (referrer: number, campaign = '') => {
    count.add(counted({ ...CLICK, referrer_host: `${referrer}.example`, campaign }), 0);
    return count.takeBreakdowns().map(({ change, figures }) => [change, figures.toString().split('\n').length]);
  };
  for (let referrer = 0; referrer < 30; referrer++) count.add(counted({ ...CLICK, referrer_host: `${referrer}.example` }), 0);
  t.strictSame(lines(0), [[0, 32]], 'the breakdown is first stored as a whole: a platform, an unknown country and 30 referrers');
  const changes = Array.from({ length: 40 }, () => lines(1));
  t.equal(changes.filter(([taken]) => taken?.[0] === 0).length, 2);
  t.strictSame(
    changes.find(([taken]) => taken?.[0] === 16),
    [[16, 3]],
  );
  t.equal(Math.max(...changes.map(([taken]) => taken?.[0] as number)), 16);
  t.strictSame(lines(2, 'spring').at(-1), [0, 3], 'a breakdown with few lines is stored as a whole');
});

t.test('figures that were read from the log are not stored again, and new clicks add to them', async (t) => {
  const count = new DayCount();
  for (let visitor = 0; visitor < 10_000; visitor++) count.add(counted({ ...CLICK, visitor_low: visitor }), 0);
  count.forgetChanges();
  t.strictSame([count.hasChanged, count.takeFigures(), count.takeBreakdowns()], [false, [], []]);
  count.add(counted({ ...CLICK, visitor_low: 9_999 }), 0);
  t.match(
    count.takeFigures().find(({ dimension }) => DIMENSION_NAMES[dimension] === 'link'),
    { clicks: 10_001, human: 10_001, visitors: 10_000 },
  );
  t.equal(count.takeBreakdowns()[0]?.figures.toString().split('\n').includes('platform 10001 10001 10000 ios'), true);
});
