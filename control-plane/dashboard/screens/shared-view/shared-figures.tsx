import type { ClickFilter } from '../../../../shared/contract/schemas/clicks-query.js';
import type { SharedView } from '../../../../shared/contract/schemas/view.js';
import { TimeSeries } from '../../charts/time-series.js';
import { exactCount } from '../../format/numbers.js';
import { dateAndTime, timeOfDay } from '../../format/times.js';
import { Card } from '../../parts/page.js';
import { DIMENSIONS, MEASURES, type Measure } from '../analytics/asked.js';
import { Groups, labelOf } from '../analytics/groups.js';
import { Change, COLOURS, LABELS } from '../analytics/measures.js';

/** Chart, totals and table of one view. Nothing of it leads anywhere. */
export function SharedFigures({ view }: { readonly view: SharedView }) {
  const { name, from, to, timezone, as_of, interval, measure, series, breakdown_by, breakdown } = view;
  return (
    <main className="shared-view">
      <header>
        <h1>{name}</h1>
        <p className="muted">{from === to ? from : `${from} to ${to}`}</p>
      </header>
      <Filters filters={view.filters} />
      <Totals view={view} />
      <Card title={LABELS[measure]}>
        <div className="stack">
          <TimeSeries
            label={`${LABELS[measure]}, ${from} to ${to}`}
            days={series.map(({ date }) => date)}
            {...(interval === 'hour' ? { labels: series.map(({ start }) => timeOfDay(start, timezone)) } : {})}
            series={[{ label: MEASURES[measure], values: series.map((point) => point[measure]), colour: COLOURS[measure] }]}
          />
          <p className="muted">
            <small>
              {interval === 'hour' ? 'Hours' : 'Days'} of {timezone}. Clicks up to {dateAndTime(as_of, timezone)}.
            </small>
          </p>
        </div>
      </Card>
      {breakdown_by === null ? null : (
        <Card title={`By ${DIMENSIONS[breakdown_by].toLowerCase()}`}>
          <Groups
            by={breakdown_by}
            groups={breakdown.map((group) => ({ ...group, ...named(breakdown_by, group.value) }))}
            count={measure}
          />
        </Card>
      )}
    </main>
  );
}

/** Links come by their paths; what has none is of templates, or of links that are gone. */
function named(by: ClickFilter, value: string | null) {
  return { value: by === 'link' ? (value ?? 'Other') : value, name: null };
}

function Totals({ view: { totals, previous, measure } }: { readonly view: SharedView }) {
  return (
    <dl className="figures">
      {(Object.keys(MEASURES) as Measure[]).map((each) => (
        <div key={each} className={each === measure ? 'figure figure-shown' : 'figure'}>
          <dt>
            <i className={`key key-${COLOURS[each]}`} /> {LABELS[each]}
          </dt>
          <dd>
            {exactCount(totals[each])} <Change value={totals[each]} before={previous?.totals[each]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Filters({ filters }: { readonly filters: SharedView['filters'] }) {
  if (filters.length === 0) return null;
  return (
    <ul className="chips" aria-label="Filters">
      {filters.map(({ filter, value }) => (
        <li key={filter} className="chip">
          {filter === 'tag' ? `Tag: ${value ?? 'None'}` : `${DIMENSIONS[filter]}: ${labelOf(filter as ClickFilter, { value, name: null })}`}
        </li>
      ))}
    </ul>
  );
}
