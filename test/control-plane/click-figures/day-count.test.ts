import t from 'tap';
import { parseBreakdown } from '../../../control-plane/click-figures/breakdowns.js';
import { DayCount } from '../../../control-plane/click-figures/day-count.js';
import { DIMENSION_NAMES } from '../../../control-plane/click-figures/dimensions.js';
import { CountedClick, TEXT } from '../../../control-plane/click-figures/logged-clicks.js';
import fc from '../../support/properties.js';

const NOBODY = '\0'.repeat(16);
const uuid = (letter: string) => letter.repeat(16);

/** A few visitors who do everything there is, so that some have dozens of visits on the day. */
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
    referrer_host: fc.constantFrom('', 'a.example', 'b.example'),
    campaign: fc.constantFrom('', 'spring', 'autumn'),
    visitor_high: fc.constantFrom(-1, 0, 1),
    visitor_low: fc.constantFrom(0, 7),
    bot: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  })
  .map((click) => ({ ...click, hour: click.quarter - (click.quarter % 4) }));

type Numbers = Pick<CountedClick, 'environment_number' | 'quarter' | 'is_link' | 'visitor_high' | 'visitor_low' | 'bot'>;
type Click = Numbers & Readonly<Record<keyof typeof TEXT, string>> & { readonly hour: number };

/** As it is read from the log, amid other bytes. */
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

/** What the click counts in: environment, dimension, subject, campaign, value. */
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

/** Puts what changed in the place of what was there, as its rows are stored. */
function take(count: DayCount, stored: Map<string, string>): void {
  for (const { environment_number, dimension, subject_id, campaign, value, clicks, human, visitors } of count.takeFigures())
    stored.set([environment_number, DIMENSION_NAMES[dimension], subject_id, campaign, value].join('|'), `${clicks} ${human} ${visitors}`);
  for (const { environment_number, subject_id, campaign, figures } of count.takeBreakdowns())
    for (const { dimension, value, all, human, unique } of parseBreakdown(figures.toString()))
      stored.set([environment_number, `of_${dimension}`, subject_id, campaign, value].join('|'), `${all} ${human} ${unique}`);
}

t.test('figures of a day are what its clicks come to, also for visitors with many visits, whenever they are taken', async (t) => {
  await fc.assert(
    fc.property(fc.array(fc.array(anyClick, { maxLength: 120 }), { maxLength: 4 }), (rounds) => {
      const count = new DayCount();
      const stored = new Map<string, string>();
      for (const [index, clicks] of rounds.entries()) {
        for (const click of clicks) count.add(counted(click), click.hour);
        take(count, stored);
        t.equal(count.hasChanged, false);
        t.strictSame(new Map([...stored].sort()), new Map([...figuresByHand(rounds.slice(0, index + 1).flat())].sort()));
      }
    }),
    { numRuns: 60 },
  );
});

t.test('what was read from the log is not stored again, and new clicks add to it', async (t) => {
  const click: Click = {
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
  const count = new DayCount();
  for (let visitor = 0; visitor < 10_000; visitor++) count.add(counted({ ...click, visitor_low: visitor }), 0);
  count.forgetChanges();
  t.strictSame([count.hasChanged, count.takeFigures(), count.takeBreakdowns()], [false, [], []]);
  count.add(counted({ ...click, visitor_low: 9_999 }), 0);
  t.match(
    count.takeFigures().find(({ dimension }) => DIMENSION_NAMES[dimension] === 'link'),
    { clicks: 10_001, human: 10_001, visitors: 10_000 },
  );
  t.equal(count.takeBreakdowns()[0]?.figures.toString().split('\n').includes('platform 10001 10001 10000 ios'), true);
});
