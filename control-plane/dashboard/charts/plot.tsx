import { useEffect, useRef, useState } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { count } from '../format/numbers.js';
import { shortDay } from '../format/times.js';
import type { TimeSeriesProps } from './series.js';

const HEIGHT_PIXELS = 240;

/** Lines over days. Colours are read from the page's own, and again when the theme changes. */
export function Plot({ days, series }: TimeSeriesProps) {
  const frame = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    const element = frame.current as HTMLDivElement;
    const plot = new UPlot(optionsOf(element.clientWidth, days, series), dataOf(days, series), element);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT_PIXELS }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [days, series, theme]);
  return <div ref={frame} aria-hidden="true" />;
}

function useTheme(): string | undefined {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme);
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(document.documentElement.dataset.theme));
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => observer.disconnect();
  }, []);
  return theme;
}

function dataOf(days: TimeSeriesProps['days'], series: TimeSeriesProps['series']): UPlot.AlignedData {
  return [days.map((_, index) => index), ...series.map(({ values }) => [...values])];
}

function optionsOf(width: number, days: TimeSeriesProps['days'], series: TimeSeriesProps['series']): UPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: colour('--muted'), font: '12px system-ui', ticks: { show: false } };
  const dayAt = (index: number) => (Number.isInteger(index) && days[index] !== undefined ? shortDay(days[index]) : '');
  return {
    width,
    height: HEIGHT_PIXELS,
    padding: [12, 28, 0, 0],
    legend: { show: true, live: true },
    cursor: { points: { size: 7 }, drag: { x: false, y: false } },
    // Only whole clicks: the axis of a week with few clicks must not show fractions.
    scales: { x: { time: false }, y: { range: (_, __, max) => [0, Math.max(4, (max ?? 0) * 1.1)] } },
    axes: [
      { ...axis, grid: { show: false }, space: 60, incrs: [1, 2, 5, 7, 10], values: (_, splits) => splits.map(dayAt) },
      {
        ...axis,
        grid: { stroke: colour('--line'), width: 1 },
        size: 48,
        values: (_, splits) => splits.map((value) => (Number.isInteger(value) ? count(value) : '')),
      },
    ],
    series: [
      { label: 'Day', value: (_, __, ___, index) => (index === null ? '–' : dayAt(index)) },
      ...series.map((line, index) => ({
        label: line.label,
        stroke: colour(`--series-${line.colour}`),
        width: 2,
        points: { show: days.length < 10, size: 5, fill: colour('--surface') },
        ...(index === 0 ? { fill: `color-mix(in srgb, ${colour(`--series-${line.colour}`)} 10%, transparent)` } : {}),
      })),
    ],
  };
}
