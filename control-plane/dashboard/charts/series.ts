/** Values by day, as every form of a chart takes them. */
export interface Series {
  readonly label: string;
  /** One value a day. */
  readonly values: readonly (number | null)[];
  /** Number of the colour, as in `--series-1`. */
  readonly colour: 1 | 2 | 3 | 4;
  /** For what the other lines are compared with. */
  readonly dashed?: boolean;
}

export interface TimeSeriesProps {
  readonly label: string;
  /** Days such as 2026-11-20, oldest first. */
  readonly days: readonly string[];
  /** What each day is called on the axis; its day and month if it is left out. */
  readonly labels?: readonly string[];
  readonly series: readonly Series[];
}
