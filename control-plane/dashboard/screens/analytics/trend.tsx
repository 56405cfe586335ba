import { useRef } from 'react';
import type { ClicksAnswer } from '../../../../shared/contract/schemas/clicks-query.js';
import { savePlotAsPng } from '../../charts/plot-png.js';
import { besideSameHours, isUnfinished, type Series } from '../../charts/series.js';
import { TimeSeries } from '../../charts/time-series.js';
import { download } from '../../format/download.js';
import { exactCount } from '../../format/numbers.js';
import { dateAndTime, timeOfDay, wholeDay } from '../../format/times.js';
import { text, textOf } from '../../language/text.js';
import { SaveButton } from '../../parts/button.js';
import { Note } from '../../parts/page.js';
import { useRead } from '../../session/queries.js';
import { type Asked, INTERVALS, MEASURE_NAMES, MEASURES, previousQueryOf, trendQueryOf } from './asked.js';
import { usePictureHead } from './asked-in-words.js';
import { seriesCsv } from './files.js';
import { Change, COLOURS, LABELS } from './measures.js';

interface TrendProps {
  readonly asked: Asked;
  readonly ask: (asked: Asked) => void;
  readonly answer: ClicksAnswer;
}

/** The chosen count over time, compared with the days before. */
export function Trend({ asked, ask, answer }: TrendProps) {
  const figure = useRef<HTMLDivElement>(null);
  const { series, previous, timezone } = answer;
  const { count } = asked;
  const before = useRead('GET /stats/clicks', { query: previousQueryOf(asked, previous ?? asked) }, { enabled: previous !== null });
  const { interval = 'day' } = trendQueryOf(asked);
  const hours = (of: ClicksAnswer['series']) => of.map((point) => ({ start: point.start, value: point[count] }));
  const valuesBefore = (of: ClicksAnswer['series'] = []) =>
    interval === 'hour' ? besideSameHours(hours(series), hours(of), timezone) : series.map((_, index) => of[index]?.[count] ?? null);
  const name = `clicks-${answer.from}-${answer.to}`;
  const lines: readonly Series[] = [
    { label: textOf(MEASURES[count]), values: series.map((point) => point[count]), colour: COLOURS[count] },
    ...(previous === null
      ? []
      : [{ label: text('Before'), values: valuesBefore(before.data?.series), colour: COLOURS[count], dashed: true } as const]),
  ];
  const head = usePictureHead(asked, answer);
  const savePng = () => savePlotAsPng(figure.current, { title: textOf(LABELS[count]), lines: head, legend: lines }, `${name}.png`);
  return (
    <section className="card framed" aria-label={text('Clicks')}>
      <Totals asked={asked} ask={ask} answer={answer} />
      <div className="card-body stack" ref={figure}>
        <TimeSeries
          label={text('{measure}, {from} to {to}', {
            measure: textOf(LABELS[count]),
            from: wholeDay(answer.from),
            to: wholeDay(answer.to),
          })}
          days={series.map(({ date }) => date)}
          unfinished={isUnfinished(answer)}
          {...(interval === 'hour' ? { labels: series.map(({ start }) => timeOfDay(start, timezone)) } : {})}
          series={lines}
        />
        <div className="chart-foot side-by-side">
          <Note>
            {text('{unit} in {timezone}, {from} to {to}{compared}. Clicks up to {asOf}.', {
              unit: textOf(INTERVALS[interval]),
              timezone,
              from: wholeDay(answer.from),
              to: wholeDay(answer.to),
              compared:
                previous === null ? '' : text('; dashed: {from} to {to}', { from: wholeDay(previous.from), to: wholeDay(previous.to) }),
              asOf: dateAndTime(answer.as_of, timezone),
            })}
            {asked.compare && previous === null
              ? ` ${text('The days before cannot be compared: they have too many clicks, or their clicks are no longer kept.')}`
              : ''}
          </Note>
          <SaveButton format="CSV" label={text('Chart as CSV')} onClick={() => download(seriesCsv(answer.series), `${name}.csv`)} />
          <SaveButton format="PNG" label={text('Chart as PNG')} onClick={() => void savePng()} />
        </div>
      </div>
    </section>
  );
}

function Totals({ asked, ask, answer }: TrendProps) {
  return (
    <fieldset className="measures">
      <legend className="visually-hidden">{text('What is counted')}</legend>
      {MEASURE_NAMES.map((measure) => (
        <button
          key={measure}
          type="button"
          className="measure"
          aria-pressed={measure === asked.count}
          onClick={() => ask({ ...asked, count: measure })}
        >
          <span className="measure-name quiet">{textOf(LABELS[measure])}</span>
          <strong>{exactCount(answer.totals[measure])}</strong>
          <Change answer={answer} measure={measure} />
        </button>
      ))}
    </fieldset>
  );
}
