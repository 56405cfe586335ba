import { toLocalInput, wholeDay } from '../format/times.js';
import { text } from '../language/text.js';

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
  /** Whether the last point belongs to a day or an hour that is not over, so that its values still grow. */
  readonly unfinished?: boolean;
}

/** Whether the days of an answer include the one on which it was given. */
export function isUnfinished({ to, as_of, timezone }: { readonly to: string; readonly as_of: string; readonly timezone: string }): boolean {
  return toLocalInput(as_of, timezone).slice(0, 10) <= to;
}

const DAY_MS = 86_400_000;

interface Hour {
  readonly start: string;
  readonly value: number;
}

/**
 * The values of earlier hours beside later ones, each at the same time of its day; null where there was none. In the night in which clocks
 * change, an hour is skipped or comes twice, and each hour after it would be beside another one if they were only counted.
 */
export function besideSameHours(hours: readonly Hour[], earlier: readonly Hour[], timeZone: string): readonly (number | null)[] {
  const times = (of: readonly Hour[]) => {
    const shown = of.map(({ start }) => Date.parse(`${toLocalInput(start, timeZone)}Z`));
    const firstDay = Math.floor((shown[0] ?? 0) / DAY_MS) * DAY_MS;
    return shown.map((time) => time - firstDay);
  };
  const values = new Map<number, number>();
  for (const [place, time] of times(earlier).entries()) values.set(time, (values.get(time) ?? 0) + (earlier[place]?.value ?? 0));
  return times(hours).map((time) => values.get(time) ?? null);
}

/** The day or the time of a point. */
export function pointName({ days, labels, unfinished }: TimeSeriesProps, place: number): string {
  const name = labels?.[place] ?? wholeDay(days[place] ?? '');
  return unfinished === true && place === days.length - 1 ? text('{day}, so far', { day: name }) : name;
}

/** A line of the picture. Its values are null where another line goes on. */
export interface DrawnLine extends Series {
  /** Whether the line leads to the unfinished point. It is dotted, so that the point does not look like a fall. */
  readonly dotted: boolean;
}

/** The lines to draw, the unfinished ends last. What is compared with is complete. */
export function drawnLines({ series, unfinished = false }: Pick<TimeSeriesProps, 'series' | 'unfinished'>): readonly DrawnLine[] {
  const isSplit = ({ values, dashed }: Series) => unfinished && dashed !== true && values.length > 1;
  const part = (line: Series, dotted: boolean, has: (place: number) => boolean): DrawnLine => ({
    ...line,
    values: line.values.map((value, place) => (has(place) ? value : null)),
    dotted,
  });
  return [
    ...series.map((line) => part(line, false, (place) => !isSplit(line) || place < line.values.length - 1)),
    ...series.filter(isSplit).map((line) => part(line, true, (place) => place >= line.values.length - 2)),
  ];
}
