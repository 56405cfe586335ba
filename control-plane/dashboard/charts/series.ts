/** Values by day, in the form that every chart takes. */
export interface Series {
  readonly label: string;
  /** One value per day. */
  readonly values: readonly (number | null)[];
  /** Number of the colour, as in `--series-1`. */
  readonly colour: 1 | 2 | 3 | 4;
  /** Whether the line is dashed, which marks what the other lines are compared with. */
  readonly dashed?: boolean;
}

export interface TimeSeriesProps {
  readonly label: string;
  /** Days such as 2026-11-20, oldest first. */
  readonly days: readonly string[];
  /** The name of each day on the axis; its day and month if absent. */
  readonly labels?: readonly string[];
  readonly series: readonly Series[];
}
