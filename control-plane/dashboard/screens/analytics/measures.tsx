import { type Message, message } from '../../language/text.js';
import type { Measure } from './asked.js';
import { type ComparedClicks, changeOf } from './change.js';

/** Numbers of the colours, as in `--series-1`. */
export const COLOURS = { human: 2, unique: 3, all: 1 } as const;
export const LABELS: Readonly<Record<Measure, Message>> = {
  human: message('By people'),
  unique: message('Unique visitors'),
  all: message('All clicks'),
};

interface ChangeProps {
  readonly answer: ComparedClicks;
  readonly measure: Measure;
}

export function Change({ answer, measure }: ChangeProps) {
  const { words, direction } = changeOf(answer, measure);
  return <span className={direction === null ? 'change quiet' : `change quiet change-${direction}`}>{words}</span>;
}
