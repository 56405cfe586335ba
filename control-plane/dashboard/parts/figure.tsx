import { ColourKey } from './colour-key.js';

interface FigureProps {
  readonly label: string;
  readonly value: string;
  /** Number of the colour that a chart beside it has for the same. */
  readonly colour?: number;
}

/** A figure in a list of them (`<dl className="figures">`). */
export function Figure({ label, value, colour }: FigureProps) {
  return (
    <div className="figure">
      <dt className="quiet">
        {colour === undefined ? null : (
          <>
            <ColourKey colour={colour} />{' '}
          </>
        )}
        {label}
      </dt>
      <dd>{value}</dd>
    </div>
  );
}
