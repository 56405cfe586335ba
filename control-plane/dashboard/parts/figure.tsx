import { ColourKey } from './colour-key.js';

interface FigureProps {
  readonly label: string;
  readonly value: string;
  /** Number of the colour that the figure has in a chart beside it. */
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
