import type { ClickFilter, ClicksAnswer } from '../../../../shared/contract/schemas/clicks-query.js';
import { TimeSeries } from '../../charts/time-series.js';
import { csvField } from '../../format/csv.js';
import { download } from '../../format/download.js';
import { exactCount, share } from '../../format/numbers.js';
import { dateAndTime } from '../../format/times.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Card, Page } from '../../parts/page.js';
import { Segments } from '../../parts/segments.js';
import { Failure, Loading } from '../../parts/states.js';
import { useAllRows, useRead } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';
import { type Asked, DIMENSION_NAMES, DIMENSIONS, lastDays, queryOf, useAsked } from './asked.js';
import { Groups, labelOf } from './groups.js';

const RANGES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
] as const;

/** Clicks of any days, with filters that stack. */
export function Analytics() {
  const { timeZone } = useSignedIn();
  const [asked, ask] = useAsked(timeZone);
  const answer = useRead('GET /stats/clicks', { query: queryOf(asked) });
  const range = RANGES.find(({ value }) => {
    const { from, to } = lastDays(Number(value), timeZone);
    return from === asked.from && to === asked.to;
  });
  return (
    <Page
      title="Analytics"
      lead="All clicks of the environment. Choose a value in the table to see its clicks alone."
      needs="analytics:read"
      actions={
        <Segments<string>
          label="Range"
          value={range?.value ?? ''}
          choices={RANGES}
          onChange={(days) => ask({ ...asked, ...lastDays(Number(days), timeZone) })}
        />
      }
    >
      <div className="stack">
        <Questions asked={asked} ask={ask} />
        <Filters asked={asked} ask={ask} />
        {answer.data !== undefined ? (
          <Answer asked={asked} ask={ask} answer={answer.data} />
        ) : answer.error !== null ? (
          <Failure error={answer.error} onRetry={() => void answer.refetch()} />
        ) : (
          <Loading lines={10} />
        )}
      </div>
    </Page>
  );
}

interface AskedProps {
  readonly asked: Asked;
  readonly ask: (asked: Asked) => void;
}

function Questions({ asked, ask }: AskedProps) {
  const tags = useAllRows('GET /tags', {}).rows;
  return (
    <search className="filters">
      <label>
        From
        <input
          type="date"
          value={asked.from}
          max={asked.to}
          onChange={({ target }) => target.value !== '' && ask({ ...asked, from: target.value })}
        />
      </label>
      <label>
        To
        <input
          type="date"
          value={asked.to}
          min={asked.from}
          onChange={({ target }) => target.value !== '' && ask({ ...asked, to: target.value })}
        />
      </label>
      <label>
        Break down by
        <select value={asked.by} onChange={({ target }) => ask({ ...asked, by: target.value as ClickFilter })}>
          {DIMENSION_NAMES.map((name) => (
            <option key={name} value={name}>
              {DIMENSIONS[name]}
            </option>
          ))}
        </select>
      </label>
      {tags.length === 0 ? null : (
        <label>
          Tag of the link
          <select value={asked.tag} onChange={({ target }) => ask({ ...asked, tag: target.value })}>
            <option value="">Any</option>
            {tags.map(({ id, name }) => (
              <option key={id}>{name}</option>
            ))}
          </select>
        </label>
      )}
    </search>
  );
}

/** What is filtered by, each with a button that takes it away. */
function Filters({ asked, ask }: AskedProps) {
  const without = (name: ClickFilter) => {
    const { [name]: _, ...filters } = asked.filters;
    ask({ ...asked, filters });
  };
  const given = DIMENSION_NAMES.flatMap((name) => (asked.filters[name] === undefined ? [] : [[name, asked.filters[name]] as const]));
  if (given.length === 0) return null;
  return (
    <ul className="chips" aria-label="Filters">
      {given.map(([name, value]) => (
        <li key={name} className="chip">
          {DIMENSIONS[name]}: {labelOf(name, { value: value === '' ? null : value, name: null })}
          <button type="button" className="icon-button" aria-label={`Remove the filter ${DIMENSIONS[name]}`} onClick={() => without(name)}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Answer({ asked, ask, answer }: AskedProps & { readonly answer: ClicksAnswer }) {
  const { series, totals, previous } = answer;
  const line = (measure: 'all' | 'human' | 'unique') => series.map((entry) => entry[measure]);
  return (
    <>
      <Card title="Clicks">
        <div className="stack">
          <dl className="figures">
            <Total label="All clicks" colour={1} value={totals.all} before={previous?.totals.all} />
            <Total label="By people" colour={2} value={totals.human} before={previous?.totals.human} />
            <Total label="Unique visitors" colour={3} value={totals.unique} before={previous?.totals.unique} />
          </dl>
          <TimeSeries
            label={`Clicks, ${answer.from} to ${answer.to}`}
            days={series.map(({ date }) => date)}
            series={[
              { label: 'All', values: line('all'), colour: 1 },
              { label: 'Human', values: line('human'), colour: 2 },
              { label: 'Unique', values: line('unique'), colour: 3 },
            ]}
          />
          <p className="muted">
            <small>
              Days of {answer.timezone}, {answer.from} to {answer.to}
              {previous === null ? '' : `, compared with ${previous.from} to ${previous.to}`}. Clicks up to{' '}
              {dateAndTime(answer.as_of, answer.timezone)}.
            </small>
          </p>
        </div>
      </Card>
      <Card
        title={`By ${DIMENSIONS[asked.by].toLowerCase().replace('utm', 'UTM')}`}
        actions={
          <Button onClick={() => download(csvOf(asked.by, answer), `clicks-by-${asked.by}.csv`)}>
            <Icon name="download" /> CSV
          </Button>
        }
      >
        <Groups
          by={asked.by}
          groups={answer.breakdown}
          onChoose={(value) => ask({ ...asked, filters: { ...asked.filters, [asked.by]: value ?? '' } })}
        />
      </Card>
    </>
  );
}

interface TotalProps {
  readonly label: string;
  readonly colour: 1 | 2 | 3;
  readonly value: number;
  readonly before: number | undefined;
}

function Total({ label, colour, value, before }: TotalProps) {
  const change = before === undefined || before === 0 ? null : (value - before) / before;
  return (
    <div className="figure">
      <dt>
        <i className={`key key-${colour}`} /> {label}
      </dt>
      <dd>{exactCount(value)}</dd>
      {change === null ? null : (
        <dd className="muted">
          <small>
            {change > 0 ? '+' : ''}
            {share(change)} on the days before
          </small>
        </dd>
      )}
    </div>
  );
}

function csvOf(by: ClickFilter, { breakdown }: ClicksAnswer): Blob {
  const lines = breakdown.map(({ value, name, all, human, unique }) => [
    value ?? '',
    name ?? '',
    String(all),
    String(human),
    String(unique),
  ]);
  const rows = [[by, 'name', 'all', 'human', 'unique'], ...lines].map((cells) => `${cells.map(csvField).join(',')}\r\n`);
  return new Blob(rows, { type: 'text/csv' });
}
