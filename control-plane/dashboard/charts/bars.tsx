import { exactCount } from '../format/numbers.js';

export interface Bar {
  readonly label: string;
  readonly value: number;
}

/** Shares of a whole, largest first. */
export function Bars({ bars, empty }: { readonly bars: readonly Bar[]; readonly empty: string }) {
  const largest = Math.max(1, ...bars.map(({ value }) => value));
  if (bars.length === 0) return <p className="muted">{empty}</p>;
  return (
    <ul className="bars">
      {bars.map(({ label, value }) => (
        <li key={label} className="bar">
          <meter min={0} max={largest} value={value} aria-hidden="true" />
          <span>{label}</span>
          <span>{exactCount(value)}</span>
        </li>
      ))}
    </ul>
  );
}
