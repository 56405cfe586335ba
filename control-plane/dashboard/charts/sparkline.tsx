import { exactCount } from '../format/numbers.js';
import { daysAgoInWords } from '../format/times.js';
import { counted, text } from '../language/text.js';

const WIDTH = 80;
const HEIGHT = 24;
/** Keeps the width of the line within the picture. */
const MARGIN = 2;

/**
 * Clicks of each day, today last, as a line without axes. It is faint towards today, which is not over. Its accessible name states the
 * figures.
 */
export function Sparkline({ values }: { readonly values: readonly number[] }) {
  const largest = Math.max(0, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const y = (value: number) => HEIGHT - MARGIN - (largest === 0 ? 0 : (value / largest) * (HEIGHT - 2 * MARGIN));
  const points = values.map((value, day) => `${round(day * step)} ${round(y(value))}`);
  return (
    <svg
      className={largest === 0 ? 'sparkline sparkline-none' : 'sparkline'}
      role="img"
      aria-label={inWords(values, largest)}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      focusable="false"
    >
      {points.length === 0 ? null : <path d={`M${(points.length > 1 ? points.slice(0, -1) : points).join('L')}`} />}
      {points.length > 1 ? <path className="sparkline-today" d={`M${points.slice(-2).join('L')}`} /> : null}
    </svg>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** "120 clicks by people in 30 days; most on one day: 30, 3 days ago; today: 4". */
function inWords(values: readonly number[], largest: number): string {
  const total = values.reduce((sum, value) => sum + value, 0);
  const days = values.length;
  if (total === 0) return text('No clicks by people in {days} days', { days });
  const daysAgo = values.length - 1 - values.lastIndexOf(largest);
  return text('{clicks}; most on one day: {largest}, {when}; today: {today}', {
    clicks: counted(total, '{count} click by people in {days} days', '{count} clicks by people in {days} days', { days }),
    largest: exactCount(largest),
    when: daysAgoInWords(daysAgo),
    today: exactCount(values.at(-1) ?? 0),
  });
}
