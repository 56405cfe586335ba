import { type FocusEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import UPlot from 'uplot';
import { text } from '../language/text.js';
import { ColourKey } from '../parts/colour-key.js';
import { useEscape } from '../parts/escape.js';
import { useTheme } from '../parts/theme.js';
import 'uplot/dist/uPlot.min.css';
import { count, figureOf } from '../format/numbers.js';
import { dayNames } from '../format/times.js';
import { useLanguage } from '../language/language.js';
import { colourOf } from './save-picture.js';
import { type DrawnLine, drawnLines, pointName, type TimeSeriesProps } from './series.js';

const HEIGHT_PIXELS = 240;

/**
 * Lines over days. The colours are read from the page, and read again when the theme changes. The figures of the point next to the pointer
 * are shown, until Escape is pressed. If the chart has the focus, the arrow keys move from point to point. It is a slider for screen readers,
 * because they pass the arrow keys on only to controls that have a use for them, and read the value of a slider whenever it changes.
 */
export function Plot(props: TimeSeriesProps) {
  const { days, labels, series, unfinished } = props;
  const frame = useRef<HTMLDivElement>(null);
  const drawn = useRef<UPlot | null>(null);
  const { at, last, read } = useReadPoint();
  const theme = useTheme();
  const go = (index: number) => {
    last.current = index;
    drawn.current?.setCursor({ left: drawn.current.valToPos(index, 'x'), top: 0 });
  };
  // Unchanged if a screen is drawn again with the same figures.
  const same = JSON.stringify([useLanguage(), days, labels, series, unfinished]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    const element = frame.current as HTMLDivElement;
    const names = labels ?? dayNames(days);
    const lines = drawnLines(props);
    // New figures do not take a user who reads them by keyboard back to the beginning.
    const isRead = at !== null && at < days.length && element.parentElement === document.activeElement;
    const setCursor = (plot: UPlot) => read(plot.cursor.idx ?? null);
    // A plot has no positions before it is ready.
    const ready = () => (isRead ? go(Math.min(last.current ?? at, days.length - 1)) : read(null));
    const hooks = { setCursor: [setCursor], ready: [ready] };
    const plot = new UPlot(optionsOf(element.clientWidth, names, lines, hooks), dataOf(days, lines), element);
    drawn.current = plot;
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT_PIXELS }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.current = null;
      plot.destroy();
    };
  }, [same, theme]);
  const press = (event: KeyboardEvent) => goBy(event, nextPoint(event.key, at, days.length - 1), go);
  const leave = () => drawn.current?.setCursor({ left: -10, top: -10 });
  useEscape(at !== null, leave);
  // Users who come by keyboard hear the newest point, or the one that they read before.
  const enter = ({ currentTarget }: FocusEvent<HTMLElement>) => {
    if (currentTarget.matches(':focus-visible') && days.length > 0) go(Math.min(last.current ?? days.length - 1, days.length - 1));
  };
  return (
    <div
      role="slider"
      aria-valuenow={Math.max(0, at ?? days.length - 1)}
      className="plot"
      dir="ltr"
      {...sliderOf(props, at)}
      tabIndex={0}
      onKeyDown={press}
      onFocus={enter}
      onBlur={leave}
    >
      <div ref={frame} aria-hidden="true" />
      {at === null || days[at] === undefined ? null : (
        <Point name={pointName(props, at)} at={at} series={series} left={drawn.current?.valToPos(at, 'x') ?? 0} />
      )}
    </div>
  );
}

/**
 * `at` is the point whose figures are shown, and null for none. `last` is the one that was read last: a key that is pressed while new figures
 * are drawn changes it before `at`.
 */
function useReadPoint() {
  const [at, setAt] = useState<number | null>(null);
  const last = useRef<number | null>(null);
  const read = (index: number | null) => {
    last.current = index ?? last.current;
    setAt(index);
  };
  return { at, last, read };
}

function goBy(event: KeyboardEvent, next: number | undefined, go: (index: number) => void): void {
  if (next === undefined) return;
  event.preventDefault();
  go(next);
}

/** Where the key leads from the point, which is null if none is read. Undefined for other keys, and if there are no points. */
function nextPoint(key: string, at: number | null, last: number): number | undefined {
  const [before, after] = [Math.max(0, (at ?? last + 1) - 1), Math.min(last, (at ?? -1) + 1)];
  const next = { ArrowLeft: before, ArrowDown: before, ArrowRight: after, ArrowUp: after, Home: 0, End: last };
  return last < 0 ? undefined : next[key as keyof typeof next];
}

/** What screen readers know of the slider: the newest point, until another one is read. */
function sliderOf(props: TimeSeriesProps, at: number | null) {
  const last = props.days.length - 1;
  return {
    'aria-label': text('{label}. Use the arrow keys to read the points.', { label: props.label }),
    'aria-valuemin': 0,
    'aria-valuemax': Math.max(0, last),
    'aria-valuetext': inWords(props, at ?? last),
    'aria-readonly': true,
  };
}

/** The figures of a point, as they are read aloud; '' if there is no point. */
function inWords(props: TimeSeriesProps, at: number): string {
  if (props.days[at] === undefined) return '';
  return [pointName(props, at), ...props.series.map(({ label, values }) => `${label} ${figureOf(values[at])}`)].join(', ');
}

interface PointProps extends Pick<TimeSeriesProps, 'series'> {
  readonly name: string;
  readonly at: number;
  readonly left: number;
}

/** The figures of one point, on the side of the point that has room. */
function Point({ name, at, series, left }: PointProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current as HTMLDivElement;
    const room = (element.parentElement?.clientWidth ?? 0) - left - AXIS_PIXELS;
    const place = left + AXIS_PIXELS + (room < element.offsetWidth + 24 ? -element.offsetWidth - 12 : 12);
    element.style.transform = `translateX(${Math.max(0, Math.round(place))}px)`;
  });
  return (
    <div ref={box} className="plot-point" aria-hidden="true">
      <strong>{name}</strong>
      {series.map(({ label, values, colour, dashed }) => (
        <span key={label} className="plot-value">
          <ColourKey colour={colour} dashed={dashed} />
          {label} <b>{figureOf(values[at])}</b>
        </span>
      ))}
    </div>
  );
}

function dataOf(days: TimeSeriesProps['days'], lines: readonly DrawnLine[]): UPlot.AlignedData {
  return [days.map((_, index) => index), ...lines.map(({ values }) => [...values])];
}

const AXIS_PIXELS = 48;
/** Length of the longest name of a day without its year: `20 Nov`, `20. Sept.`. */
const NAME_LENGTH = 9;

/** Lengths of the dashes and gaps of a line that is compared with, and of one that leads to an unfinished point. */
const DASHED = [5, 5];
const DOTTED = [2, 4];

function optionsOf(width: number, names: readonly string[], lines: readonly DrawnLine[], hooks: UPlot.Hooks.Arrays): UPlot.Options {
  const axis = { stroke: colourOf('--muted'), font: '12px system-ui', ticks: { show: false } };
  const nameAt = (index: number) => (Number.isInteger(index) ? (names[index] ?? '') : '');
  return {
    width,
    height: HEIGHT_PIXELS,
    padding: [12, 28, 0, 0],
    legend: { show: false },
    cursor: { points: { size: 7 }, drag: { x: false, y: false }, y: false },
    hooks,
    // The axis shows whole clicks only. In a week with few clicks, it must not show fractions.
    scales: { x: { time: false }, y: { range: (_, __, max) => [0, Math.max(4, (max ?? 0) * 1.1)] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        // The names of the days stay clear of the 0 beside them, and no more room than they need is left below.
        gap: 10,
        size: 32,
        space: (names[0] ?? '').length > NAME_LENGTH ? 100 : 60,
        incrs: [1, 2, 3, 5, 7, 10, 12],
        values: (_, splits) => splits.map(nameAt),
      },
      {
        ...axis,
        grid: { stroke: colourOf('--line'), width: 1 },
        size: AXIS_PIXELS,
        values: (_, splits) => splits.map((value) => (Number.isInteger(value) ? count(value) : '')),
      },
    ],
    series: [
      {},
      ...lines.map((line) => ({
        label: line.label,
        stroke: colourOf(`--series-${line.colour}`),
        width: line.dashed === true ? 1.5 : 2,
        points: { show: names.length < 10 && line.dashed !== true, size: 5, fill: colourOf('--surface') },
        ...(line.dashed === true ? { dash: DASHED } : line.dotted ? { dash: DOTTED } : {}),
        ...(line.colour === lines[0]?.colour && line.dashed !== true
          ? { fill: `color-mix(in srgb, ${colourOf(`--series-${line.colour}`)} 10%, transparent)` }
          : {}),
      })),
    ],
  };
}
