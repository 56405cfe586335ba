import { exactCount } from '../format/numbers.js';
import { ColourKey } from '../parts/colour-key.js';

interface MeterPart {
  readonly label: string;
  readonly value: number;
  readonly colour: 1 | 2 | 3 | 4 | 5 | 6 | 7;
}

interface MeterProps {
  readonly label: string;
  readonly parts: readonly MeterPart[];
  readonly empty: string;
}

/** One bar divided into its parts, with a legend that shows the figures. */
export function Meter({ label, parts, empty }: MeterProps) {
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  if (total === 0) return <p className="muted">{empty}</p>;
  return (
    <figure className="meter" aria-label={label}>
      <div className="meter-bar" dir="ltr" aria-hidden="true">
        {parts.map(({ label, value, colour }) =>
          value === 0 ? null : <span key={label} style={{ flexGrow: value, background: `var(--series-${colour})` }} />,
        )}
      </div>
      <ul>
        {parts.map(({ label, value, colour }) => (
          <li key={label} className="meter-row">
            <ColourKey colour={colour} /> {label}
            <span>{exactCount(value)}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
