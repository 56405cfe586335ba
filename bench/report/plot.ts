import { escapeHtml } from '../../shared/base/escape-html.js';
import type { Measurement } from '../load/measure.js';
import type { Spread } from '../load/statistics.js';

const WIDTH = 860;
const LABEL_WIDTH = 400;
const BAR_HEIGHT = 20;
const ROW_HEIGHT = 30;
const TOP = 48;

export interface Bar {
  readonly label: string;
  readonly value: Spread;
}

/** A chart of horizontal bars as an SVG document: the median as the bar, the least and the greatest round as a line through its end. */
export function barChart(title: string, bars: readonly Bar[], digits: number): string {
  const most = Math.max(...bars.map(({ value }) => value.max));
  const scale = (value: number) => ((WIDTH - LABEL_WIDTH - 90) * value) / most;
  const rows = bars.map(({ label, value }, row) => {
    const top = TOP + row * ROW_HEIGHT;
    const middle = top + BAR_HEIGHT / 2;
    const at = (value: number) => (LABEL_WIDTH + scale(value)).toFixed(1);
    return [
      `<text x="${LABEL_WIDTH - 8}" y="${middle + 4}" text-anchor="end">${escapeHtml(label)}</text>`,
      `<rect x="${LABEL_WIDTH}" y="${top}" width="${scale(value.median).toFixed(1)}" height="${BAR_HEIGHT}" fill="#3b6ea5"/>`,
      `<line x1="${at(value.min)}" x2="${at(value.max)}" y1="${middle}" y2="${middle}" stroke="#111" stroke-width="2"/>`,
      `<text x="${LABEL_WIDTH + scale(value.max) + 8}" y="${middle + 4}">${value.median.toFixed(digits)}</text>`,
    ].join('\n');
  });
  const height = TOP + bars.length * ROW_HEIGHT + 8;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="16" y="28" font-size="16" font-weight="bold">${escapeHtml(title)}</text>
${rows.join('\n')}
</svg>
`;
}

/** A chart of the CPU time and one of the rate for each scenario and client, by file name. */
export function redirectPlots(measurements: readonly Measurement[]): ReadonlyMap<string, string> {
  const plots = new Map<string, string>();
  const groupOf = ({ scenario, client }: Measurement) => `${scenario}, ${client}`;
  const counted = measurements.filter(({ invalid }) => invalid === null);
  for (const group of new Set(counted.map(groupOf))) {
    const valid = counted.filter((row) => groupOf(row) === group);
    const name = group.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase();
    const bars = (of: (row: Measurement) => Spread) => valid.map((row) => ({ label: row.contender, value: of(row) }));
    plots.set(
      `redirect-cpu-${name}.svg`,
      barChart(
        `Server CPU µs/request: ${group}`,
        bars((row) => row.cpu_us_per_request),
        1,
      ),
    );
    plots.set(
      `redirect-rate-${name}.svg`,
      barChart(
        `Requests/s: ${group}`,
        bars((row) => row.requests_per_second),
        0,
      ),
    );
  }
  return plots;
}
