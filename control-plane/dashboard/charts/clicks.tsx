import type { UseQueryResult } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import type { LinkStats } from '../../../shared/contract/schemas/link-stats.js';
import type { ApiError } from '../api/client.js';
import { countryName } from '../format/countries.js';
import { exactCount } from '../format/numbers.js';
import { platformName } from '../format/platforms.js';
import { dateAndTime, wholeDay } from '../format/times.js';
import { labelled, type Message, message, text, textOf } from '../language/text.js';
import { Figure } from '../parts/figure.js';
import { Card, Note } from '../parts/page.js';
import { Segments } from '../parts/segments.js';
import { Answered } from '../parts/states.js';
import { Bars } from './bars.js';
import { type ClicksRange, type ClicksMeasure as Measure, RANGES, useClicksAsked } from './clicks-asked.js';
import { isUnfinished } from './series.js';
import { TimeSeries } from './time-series.js';

/** The members that the statistics of a link, a campaign and an environment have in common. */
export type ClickStats = Pick<
  LinkStats,
  'from' | 'to' | 'timezone' | 'as_of' | 'totals' | 'series' | 'platforms' | 'countries' | 'referrers'
>;

/** Often enough that a user who waits for a click sees it appear. A click is counted within a second after it is stored. */
export const CLICKS_REFRESH_MS = 15_000;

interface ClicksProps<Stats extends ClickStats> {
  readonly stats: UseQueryResult<Stats, ApiError>;
  readonly range: ClicksRange;
  readonly onRange: (range: ClicksRange) => void;
  /** Additional breakdowns, shown before the common ones. */
  readonly children?: (stats: Stats) => ReactNode;
}

/** Clicks by day, platform, country and referrer. */
export function Clicks<Stats extends ClickStats>({ stats, range, onRange, children }: ClicksProps<Stats>) {
  return (
    <Card title={text('Clicks')} actions={<Segments label={text('Range')} value={range} choices={labelled(RANGES)} onChange={onRange} />}>
      <Answered read={stats} lines={8}>
        {(data) => <Figures stats={data}>{children?.(data)}</Figures>}
      </Answered>
    </Card>
  );
}

/** In the order of the totals above. */
const MEASURES = [
  { value: 'all', label: message('All') },
  { value: 'human', label: message('People') },
  { value: 'unique', label: message('Unique') },
] as const;

const MEASURED: Readonly<Record<Measure, Message>> = {
  human: message('clicks by people'),
  all: message('all clicks'),
  unique: message('unique visitors'),
};

const MeasureContext = createContext<Measure>('human');

function Figures({ stats, children }: { readonly stats: ClickStats; readonly children: ReactNode }) {
  const [{ count: measure }, ask] = useClicksAsked();
  return (
    <MeasureContext.Provider value={measure}>
      <div className="stack">
        <Totals totals={stats.totals} />
        <TimeSeries
          label={text('Clicks by day, {from} to {to}', { from: wholeDay(stats.from), to: wholeDay(stats.to) })}
          days={stats.series.map(({ date }) => date)}
          unfinished={isUnfinished(stats)}
          series={[
            { label: text('All'), values: stats.series.map(({ all }) => all), colour: 1 },
            { label: text('People'), values: stats.series.map(({ human }) => human), colour: 2 },
            { label: text('Unique'), values: stats.series.map(({ unique }) => unique), colour: 3 },
          ]}
        />
        <Segments label={text('Count')} value={measure} choices={labelled(MEASURES)} onChange={(count) => ask({ count })} />
        <div className="columns columns-narrow">
          {children}
          <Breakdown title={text('Platforms')} rows={stats.platforms} labelOf={({ platform }) => platformName(platform)} />
          <Breakdown title={text('Countries')} rows={stats.countries} labelOf={({ country }) => countryName(country)} />
          <Breakdown
            title={text('Referrers')}
            rows={stats.referrers}
            labelOf={({ referrer_host }) => referrer_host ?? text('Direct or unknown')}
          />
        </div>
        <Note>
          {text(
            'The tables count {measure} and have at most ten rows: those with the most clicks by people. Days are in {timezone}. Clicks up to {asOf}.',
            { measure: textOf(MEASURED[measure]), timezone: stats.timezone, asOf: dateAndTime(stats.as_of, stats.timezone) },
          )}
        </Note>
      </div>
    </MeasureContext.Provider>
  );
}

interface BreakdownProps<Row> {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly labelOf: (row: Row) => string;
}

/** Rows by the count that the user has chosen, the largest first. */
export function Breakdown<Row extends Readonly<Record<Measure, number>>>({ title, rows, labelOf }: BreakdownProps<Row>) {
  const measure = useContext(MeasureContext);
  const bars = rows.map((row) => ({ label: labelOf(row), value: row[measure] })).sort((a, b) => b.value - a.value);
  return (
    <div>
      <h3>{title}</h3>
      <Bars bars={bars} empty={text('No clicks on these days')} />
    </div>
  );
}

function Totals({ totals }: { readonly totals: ClickStats['totals'] }) {
  return (
    <dl className="figures">
      <Figure label={text('All clicks')} value={exactCount(totals.all)} colour={1} />
      <Figure label={text('By people')} value={exactCount(totals.human)} colour={2} />
      <Figure label={text('Unique visitors')} value={exactCount(totals.unique)} colour={3} />
    </dl>
  );
}
