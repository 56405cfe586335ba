import { type Days, daysIn } from '../../../../shared/base/day-ranges.js';
import type { ClicksAnswer } from '../../../../shared/contract/schemas/clicks-query.js';
import { isUnfinished } from '../../charts/series.js';
import { exactCount, share } from '../../format/numbers.js';
import { counted, text } from '../../language/text.js';
import type { Measure } from './asked.js';

export type ComparedClicks = Pick<ClicksAnswer, 'totals' | 'previous' | 'to' | 'as_of' | 'timezone'>;

interface Change {
  /** Empty if the days before were not counted. */
  readonly words: string;
  readonly direction: 'up' | 'down' | null;
}

/** In a longer period, what is missing of the last day changes a percentage by less than that day's part of it, a few percent. */
const SHORT_DAYS_MAX = 7;

/**
 * How a figure differs from that of the days before. While the last day is not over, the figure still grows, and over a short period a
 * percentage would look like a fall. The figure of the days before is given instead.
 */
export function changeOf(answer: ComparedClicks, measure: Measure): Change {
  const { totals, previous } = answer;
  if (previous === null) return { words: '', direction: null };
  const before = previous.totals[measure];
  if (before === 0) return { words: text('none before'), direction: null };
  if (isUnfinished(answer) && daysIn(previous) <= SHORT_DAYS_MAX) return { words: soFar(before, previous), direction: null };
  const change = (totals[measure] - before) / before;
  return {
    words: text('{change} on before', { change: `${change > 0 ? '+' : ''}${share(change)}` }),
    direction: change > 0 ? 'up' : change < 0 ? 'down' : null,
  };
}

function soFar(before: number, days: Days): string {
  const values = { before: exactCount(before) };
  return counted(daysIn(days), 'so far; {before} the day before', 'so far; {before} in the {count} days before', values);
}
