import { share } from '../../format/numbers.js';
import { type Message, message, text } from '../../language/text.js';
import type { Measure } from './asked.js';

/** Numbers of the colours, as in `--series-1`. */
export const COLOURS = { human: 2, unique: 3, all: 1 } as const;
export const LABELS: Readonly<Record<Measure, Message>> = {
  human: message('By people'),
  unique: message('Unique visitors'),
  all: message('All clicks'),
};

/** How a figure differs from that of the days before. Empty if those were not counted. */
export function Change({ value, before }: { readonly value: number; readonly before: number | undefined }) {
  if (before === undefined || before === 0) return <span className="change quiet">{before === 0 ? text('none before') : ''}</span>;
  const change = (value - before) / before;
  return (
    <span className={change > 0 ? 'change quiet change-up' : change < 0 ? 'change quiet change-down' : 'change quiet'}>
      {text('{change} on before', { change: `${change > 0 ? '+' : ''}${share(change)}` })}
    </span>
  );
}
