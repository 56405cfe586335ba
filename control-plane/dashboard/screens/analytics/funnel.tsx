import type { Conversions } from '../../../../shared/contract/schemas/conversions.js';
import { exactCount, share } from '../../format/numbers.js';
import { Card } from '../../parts/page.js';
import { TableFrame } from '../../parts/scrolling.js';
import { Failure, Loading } from '../../parts/states.js';
import { useRead } from '../../session/queries.js';
import type { Asked } from './asked.js';

const STEPS = [
  ['Clicks of people', ({ clicks }) => clicks],
  ['First opens of the app', ({ installs }) => installs],
  ['Later opens', ({ opens }) => opens],
  ['Tracked events', ({ events }) => events],
] as const satisfies readonly (readonly [string, (totals: Conversions['totals']) => number])[];

/** What the API takes here: a link or a campaign that has a name. */
const NARROWS = ['link', 'campaign'] as const;

/** What the clicks of the days have led to. */
export function Funnel({ asked }: { readonly asked: Asked }) {
  const { from, to, filters, tag } = asked;
  const narrowed = Object.fromEntries(NARROWS.flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])));
  const conversions = useRead('GET /stats/conversions', { query: { from, to, limit: 1, ...narrowed } });
  const others = Object.keys(filters).length - Object.keys(narrowed).length + (tag === '' ? 0 : 1);
  return (
    <Card title="Funnel">
      {conversions.data !== undefined ? (
        <Steps totals={conversions.data.totals} />
      ) : conversions.error !== null ? (
        <Failure error={conversions.error} onRetry={() => void conversions.refetch()} />
      ) : (
        <Loading lines={4} />
      )}
      {others === 0 ? null : (
        <p className="muted">
          <small>Of the filters only a link and a campaign hold here.</small>
        </p>
      )}
    </Card>
  );
}

function Steps({ totals }: { readonly totals: Conversions['totals'] }) {
  const largest = Math.max(1, ...STEPS.map(([, read]) => read(totals)));
  return (
    <TableFrame label="What clicks have led to">
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col" className="number">
            How many
          </th>
          <th scope="col" className="number">
            Of the clicks
          </th>
        </tr>
      </thead>
      <tbody>
        {STEPS.map(([name, read]) => (
          <tr key={name}>
            <td className="bar">
              <meter min={0} max={largest} value={read(totals)} aria-hidden="true" />
              <span>{name}</span>
            </td>
            <td className="number">{exactCount(read(totals))}</td>
            <td className="number">{totals.clicks === 0 ? '' : share(read(totals) / totals.clicks)}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
