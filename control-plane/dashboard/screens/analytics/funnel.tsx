import type { ClicksAnswer } from '../../../../shared/contract/schemas/clicks-query.js';
import type { Conversions } from '../../../../shared/contract/schemas/conversions.js';
import { csvBlob } from '../../format/csv.js';
import { download } from '../../format/download.js';
import { exactCount, share } from '../../format/numbers.js';
import { type Message, message, text, textOf } from '../../language/text.js';
import { SaveButton } from '../../parts/button.js';
import { Card, Note } from '../../parts/page.js';
import { TableFrame } from '../../parts/scrolling.js';
import { Answered } from '../../parts/states.js';
import { useRead } from '../../session/queries.js';
import type { Asked } from './asked.js';
import { usePictureHead } from './asked-in-words.js';
import { type Bar, saveBarsAsPng } from './bars-png.js';
import { ConversionTables } from './conversion-tables.js';

const STEPS = [
  [message('Clicks by people'), ({ clicks }) => clicks],
  [message('First opens of the app'), ({ installs }) => installs],
  [message('Later opens'), ({ opens }) => opens],
  [message('Tracked events'), ({ events }) => events],
] as const satisfies readonly (readonly [Message, (totals: Conversions['totals']) => number])[];

/** The filters that the API supports for conversions, if they have a value. */
const NARROWS = ['link', 'campaign', 'resource_type', 'item'] as const;

/** Rows of each table: as many as the API returns. */
const CONVERSION_ROWS = 100;

function narrowsOf({ filters }: Asked): Pick<Asked['filters'], (typeof NARROWS)[number]> {
  return Object.fromEntries(NARROWS.flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])));
}

interface FunnelProps {
  readonly asked: Asked;
  /** The days that the server has counted for the chart. By the browser's clock, it may be another day. */
  readonly days: Pick<ClicksAnswer, 'from' | 'to'>;
}

/** What the clicks of the days have led to. */
export function Funnel({ asked, days: { from, to } }: FunnelProps) {
  const { filters } = asked;
  const narrowed = narrowsOf(asked);
  const conversions = useRead('GET /stats/conversions', { query: { from, to, limit: CONVERSION_ROWS, ...narrowed } });
  const others = Object.keys(filters).length - Object.keys(narrowed).length;
  const { data } = conversions;
  return (
    <Card title={text('Funnel')} actions={data === undefined ? null : <Saves asked={asked} answer={data} />}>
      <Answered read={conversions} lines={4}>
        {(answer) => (
          <div className="stack">
            <Steps steps={stepsOf(answer.totals)} />
            <ConversionTables conversions={answer} />
          </div>
        )}
      </Answered>
      {others === 0 ? null : <Note>{text('Only the filters link, campaign, resource type and item apply here.')}</Note>}
    </Card>
  );
}

function stepsOf(totals: Conversions['totals']): readonly Bar[] {
  return STEPS.map(([name, read]) => ({
    name: textOf(name),
    count: read(totals),
    share: totals.clicks === 0 ? '' : share(read(totals) / totals.clicks),
  }));
}

function Saves({ asked, answer }: { readonly asked: Asked; readonly answer: Conversions }) {
  const name = `funnel-${answer.from}-${answer.to}`;
  const steps = stepsOf(answer.totals);
  const lines = usePictureHead({ ...asked, filters: narrowsOf(asked) }, answer);
  const csv = () => csvBlob([['step', 'count'], ...steps.map(({ name, count }) => [name, String(count)])]);
  return (
    <span className="card-saves">
      <SaveButton format="CSV" label={text('Funnel as CSV')} onClick={() => download(csv(), `${name}.csv`)} />
      <SaveButton
        format="PNG"
        label={text('Funnel as PNG')}
        onClick={() => void saveBarsAsPng({ title: text('Funnel'), lines }, steps, `${name}.png`)}
      />
    </span>
  );
}

function Steps({ steps }: { readonly steps: readonly Bar[] }) {
  const largest = Math.max(1, ...steps.map(({ count }) => count));
  return (
    <TableFrame label={text('What clicks have led to')}>
      <thead>
        <tr>
          <th scope="col">{text('Step')}</th>
          <th scope="col" className="number">
            {text('How many')}
          </th>
          <th scope="col" className="number">
            {text('Of the clicks')}
          </th>
        </tr>
      </thead>
      <tbody>
        {steps.map(({ name, count, share }) => (
          <tr key={name}>
            <th scope="row" className="bar">
              <meter min={0} max={largest} value={count} aria-hidden="true" />
              <span>{name}</span>
            </th>
            <td className="number">{exactCount(count)}</td>
            <td className="number">{share}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
