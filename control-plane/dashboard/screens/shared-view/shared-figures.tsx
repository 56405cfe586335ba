import { useRef } from 'react';
import type { ClickDimension } from '../../../../shared/contract/schemas/clicks-query.js';
import type { SharedView } from '../../../../shared/contract/schemas/view.js';
import { savePlotAsPng } from '../../charts/plot-png.js';
import { isUnfinished, type Series } from '../../charts/series.js';
import { TimeSeries } from '../../charts/time-series.js';
import { download } from '../../format/download.js';
import { exactCount } from '../../format/numbers.js';
import { dateAndTime, timeOfDay, wholeDay } from '../../format/times.js';
import { text, textOf } from '../../language/text.js';
import { withinSentence } from '../../language/within-sentence.js';
import { SaveButton } from '../../parts/button.js';
import { ColourKey } from '../../parts/colour-key.js';
import { Card, Note } from '../../parts/page.js';
import { LanguageChoice } from '../../shell/language-choice.js';
import { DIMENSIONS, INTERVALS, MEASURE_NAMES, MEASURES, rowsOf } from '../analytics/asked.js';
import { headLines } from '../analytics/asked-in-words.js';
import { seriesCsv, sharedGroupsCsv } from '../analytics/files.js';
import { Groups, labelOf } from '../analytics/groups.js';
import { Change, COLOURS, LABELS } from '../analytics/measures.js';

/** Chart, totals and table of one view, without links to other screens. */
export function SharedFigures({ view }: { readonly view: SharedView }) {
  const { name, from, to, measure, breakdown_by, breakdown } = view;
  return (
    <main className="shared-view">
      <header>
        <h1>{name}</h1>
        <p className="muted">{from === to ? wholeDay(from) : text('{from} to {to}', { from: wholeDay(from), to: wholeDay(to) })}</p>
      </header>
      <Filters filters={view.filters} />
      <Totals view={view} />
      <Chart view={view} />
      {breakdown_by === null ? null : (
        <Card
          title={text('By {dimension}', { dimension: withinSentence(textOf(DIMENSIONS[breakdown_by])) })}
          actions={
            <SaveButton
              format="CSV"
              label={text('Table as CSV')}
              onClick={() => download(sharedGroupsCsv(breakdown_by, breakdown), `clicks-by-${breakdown_by}.csv`)}
            />
          }
        >
          <Groups
            by={breakdown_by}
            groups={breakdown.map((group) => ({ ...group, ...named(breakdown_by, group.value) }))}
            count={measure}
            rows={rowsOf(breakdown_by)}
          />
        </Card>
      )}
      <footer>
        <LanguageChoice />
      </footer>
    </main>
  );
}

function Chart({ view }: { readonly view: SharedView }) {
  const { name, from, to, timezone, as_of, interval, measure, series } = view;
  const figure = useRef<HTMLDivElement>(null);
  const lines: readonly Series[] = [
    { label: textOf(MEASURES[measure]), values: series.map((point) => point[measure]), colour: COLOURS[measure] },
  ];
  const filters = view.filters.map(({ filter, value }) => wordsOf(filter, value));
  const head = { title: `${name} · ${textOf(LABELS[measure])}`, lines: headLines(view, filters), legend: lines };
  return (
    <Card
      title={textOf(LABELS[measure])}
      actions={
        <span className="card-saves">
          <SaveButton format="CSV" label={text('Chart as CSV')} onClick={() => download(seriesCsv(series), `clicks-${from}-${to}.csv`)} />
          <SaveButton
            format="PNG"
            label={text('Chart as PNG')}
            onClick={() => void savePlotAsPng(figure.current, head, `clicks-${from}-${to}.png`)}
          />
        </span>
      }
    >
      <div className="stack" ref={figure}>
        <TimeSeries
          label={text('{measure}, {from} to {to}', { measure: textOf(LABELS[measure]), from: wholeDay(from), to: wholeDay(to) })}
          days={series.map(({ date }) => date)}
          unfinished={isUnfinished(view)}
          {...(interval === 'hour' ? { labels: series.map(({ start }) => timeOfDay(start, timezone)) } : {})}
          series={lines}
        />
        <Note>
          {text('{unit} in {timezone}. Clicks up to {asOf}.', {
            unit: textOf(INTERVALS[interval]),
            timezone,
            asOf: dateAndTime(as_of, timezone),
          })}
        </Note>
      </div>
    </Card>
  );
}

/** Links are named by their paths. Groups without a path belong to templates or to deleted links. */
function named(by: ClickDimension, value: string | null) {
  return { value: by === 'link' ? (value ?? text('Other')) : value, name: null };
}

function Totals({ view }: { readonly view: SharedView }) {
  return (
    <dl className="figures">
      {MEASURE_NAMES.map((each) => (
        <div key={each} className={each === view.measure ? 'figure figure-shown' : 'figure'}>
          <dt className="quiet">
            <ColourKey colour={COLOURS[each]} /> {textOf(LABELS[each])}
          </dt>
          <dd>
            {exactCount(view.totals[each])} <Change answer={view} measure={each} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function wordsOf(filter: ClickDimension, value: string | null): string {
  return `${textOf(DIMENSIONS[filter])}: ${labelOf(filter, { value, name: null })}`;
}

function Filters({ filters }: { readonly filters: SharedView['filters'] }) {
  if (filters.length === 0) return null;
  return (
    <ul className="chips" aria-label={text('Filters')}>
      {filters.map(({ filter, value }) => (
        <li key={filter} className="chip">
          {wordsOf(filter, value)}
        </li>
      ))}
    </ul>
  );
}
