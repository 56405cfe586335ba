import { Suspense } from 'react';
import { exactCount } from '../format/numbers.js';
import { wholeDay } from '../format/times.js';
import { text } from '../language/text.js';
import { late } from '../parts/late.js';
import { TableFrame } from '../parts/scrolling.js';
import { Loading } from '../parts/states.js';
import type { TimeSeriesProps } from './series.js';

/** The plotting library is a file of its own: screens without a plot never load it. */
const Plot = late('Plot', () => import('./plot.js'));

/** Values by day as a plot, and as a table for those who cannot see one or want the exact figures. */
export function TimeSeries(props: TimeSeriesProps) {
  return (
    <figure className="time-series" aria-label={props.label}>
      <div className="time-series-plot">
        <Suspense fallback={<Loading lines={5} />}>
          <Plot {...props} />
        </Suspense>
      </div>
      <details>
        <summary>{text('As a table')}</summary>
        <TableFrame label={props.label}>
          <thead>
            <tr>
              <th scope="col">{props.labels === undefined ? text('Day') : text('Time')}</th>
              {props.series.map(({ label }) => (
                <th scope="col" className="number" key={label}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {props.days.map((day, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: points are told apart by their place alone
              <tr key={index}>
                <td>{props.labels?.[index] ?? wholeDay(day)}</td>
                {props.series.map(({ label, values }) => (
                  <td className="number" key={label}>
                    {values[index] === null || values[index] === undefined ? '–' : exactCount(values[index])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </TableFrame>
      </details>
    </figure>
  );
}
