interface ColourKeyProps {
  /** Number of the colour in the chart. */
  readonly colour: number;
  readonly dashed?: boolean | undefined;
}

/** A sample of a chart's colour, beside the name of what it stands for. */
export function ColourKey({ colour, dashed = false }: ColourKeyProps) {
  return <i className={dashed ? 'key key-dashed' : 'key'} style={{ background: `var(--series-${colour})` }} />;
}
