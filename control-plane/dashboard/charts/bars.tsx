import { Link } from 'wouter';
import { exactCount } from '../format/numbers.js';

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The screen that shows more about it. */
  readonly to?: string;
}

/** Bars in the given order. The largest value has the longest bar. */
export function Bars({ bars, empty }: { readonly bars: readonly Bar[]; readonly empty: string }) {
  const largest = Math.max(1, ...bars.map(({ value }) => value));
  if (bars.length === 0) return <p className="muted">{empty}</p>;
  return (
    <ul className="bars">
      {bars.map(({ label, value, to }) => (
        <li key={label} className="bar">
          <meter min={0} max={largest} value={value} aria-hidden="true" />
          <span>{to === undefined ? label : <Link href={to}>{label}</Link>}</span>
          <span>{exactCount(value)}</span>
        </li>
      ))}
    </ul>
  );
}
