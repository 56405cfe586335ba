import { Suspense } from 'react';
import { figureOf } from '../format/numbers.js';
import { text } from '../language/text.js';
import { FigureTable } from '../parts/figure-table.js';
import { late } from '../parts/late.js';
import { Loading } from '../parts/states.js';
import { pointName, type TimeSeriesProps } from './series.js';

/** The plotting library is a separate file. Screens without a plot never load it. */
const Plot = late('Plot', () => import('./plot.js'));

/** Values by day as a plot, and as a table for people who cannot see the plot or want the exact figures. */
export function TimeSeries(props: TimeSeriesProps) {
  const { label, days, labels, series } = props;
  return (
    <figure className="stack time-series" aria-label={label}>
      <div className="time-series-plot">
        <Suspense fallback={<Loading lines={5} />}>
          <Plot {...props} />
        </Suspense>
      </div>
      <details>
        <summary>{text('As a table')}</summary>
        <FigureTable
          label={label}
          head={[labels === undefined ? text('Day') : text('Time'), ...series.map(({ label }) => label)]}
          rows={days.map((_, index) => [pointName(props, index), ...series.map(({ values }) => figureOf(values[index]))])}
        />
      </details>
    </figure>
  );
}
