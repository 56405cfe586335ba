import { daysOf, type StatsWindow } from '../../local-days/window.js';

/** Returns the days of the window that are not in `kept`, oldest first. Days that follow each other are one window. */
export function missingDays(window: StatsWindow, kept: ReadonlyMap<string, unknown>): readonly StatsWindow[] {
  const runs: { from: string; to: string }[] = [];
  let open: { from: string; to: string } | null = null;
  for (const day of daysOf(window)) {
    if (kept.has(day)) open = null;
    else if (open !== null) open.to = day;
    else {
      open = { from: day, to: day };
      runs.push(open);
    }
  }
  return runs.map((run) => ({ ...window, ...run }));
}
