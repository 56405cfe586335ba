import type { Conversions } from '../../../../shared/contract/schemas/conversions.js';
import { csvBlob } from '../../format/csv.js';
import { download } from '../../format/download.js';
import { exactCount, share } from '../../format/numbers.js';
import { type Message, message, text, textOf } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Card } from '../../parts/page.js';
import { TableFrame } from '../../parts/scrolling.js';
import { Failure, Loading } from '../../parts/states.js';
import { useRead } from '../../session/queries.js';
import type { Asked } from './asked.js';
import { type FunnelStep, saveFunnelAsPng } from './funnel-picture.js';

const STEPS = [
  [message('Clicks of people'), ({ clicks }) => clicks],
  [message('First opens of the app'), ({ installs }) => installs],
  [message('Later opens'), ({ opens }) => opens],
  [message('Tracked events'), ({ events }) => events],
] as const satisfies readonly (readonly [Message, (totals: Conversions['totals']) => number])[];

/** What the API takes here: a link or a campaign that has a name. */
const NARROWS = ['link', 'campaign'] as const;

/** What the clicks of the days have led to. */
export function Funnel({ asked }: { readonly asked: Asked }) {
  const { from, to, filters } = asked;
  const narrowed = Object.fromEntries(NARROWS.flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])));
  const conversions = useRead('GET /stats/conversions', { query: { from, to, limit: 1, ...narrowed } });
  const others = Object.keys(filters).length - Object.keys(narrowed).length;
  const steps = conversions.data === undefined ? null : stepsOf(conversions.data.totals);
  return (
    <Card title={text('Funnel')} actions={steps === null ? null : <Saves steps={steps} name={`funnel-${from}-${to}`} />}>
      {steps !== null ? (
        <Steps steps={steps} />
      ) : conversions.error !== null ? (
        <Failure error={conversions.error} onRetry={() => void conversions.refetch()} />
      ) : (
        <Loading lines={4} />
      )}
      {others === 0 ? null : (
        <p className="muted">
          <small>{text('Of the filters only a link and a campaign hold here.')}</small>
        </p>
      )}
    </Card>
  );
}

function stepsOf(totals: Conversions['totals']): readonly FunnelStep[] {
  return STEPS.map(([name, read]) => ({
    name: textOf(name),
    count: read(totals),
    ofClicks: totals.clicks === 0 ? '' : share(read(totals) / totals.clicks),
  }));
}

function Saves({ steps, name }: { readonly steps: readonly FunnelStep[]; readonly name: string }) {
  const csv = () => csvBlob([['step', 'count'], ...steps.map(({ name, count }) => [name, String(count)])]);
  return (
    <>
      <Button onClick={() => download(csv(), `${name}.csv`)} label={text('Funnel as CSV')}>
        <Icon name="download" /> CSV
      </Button>
      <Button onClick={() => void saveFunnelAsPng(steps, `${name}.png`)} label={text('Funnel as PNG')}>
        <Icon name="download" /> PNG
      </Button>
    </>
  );
}

function Steps({ steps }: { readonly steps: readonly FunnelStep[] }) {
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
        {steps.map(({ name, count, ofClicks }) => (
          <tr key={name}>
            <td className="bar">
              <meter min={0} max={largest} value={count} aria-hidden="true" />
              <span>{name}</span>
            </td>
            <td className="number">{exactCount(count)}</td>
            <td className="number">{ofClicks}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
