interface ColourKeyProps {
  /** Number of the colour that a chart has for it. */
  readonly colour: number;
  readonly dashed?: boolean | undefined;
}

/** The colour of a chart, beside what it stands for. */
export function ColourKey({ colour, dashed = false }: ColourKeyProps) {
  return <i className={dashed ? 'key key-dashed' : 'key'} style={{ background: `var(--series-${colour})` }} />;
}
