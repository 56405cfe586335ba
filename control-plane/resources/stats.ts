import type { ResourceStats } from '../../shared/contract/schemas/resources.js';
import { STATS_RANGES, type StatsRange } from '../../shared/contract/schemas/stats.js';
import type { Queryable } from '../db/database.js';
import { readWindow, shownDays } from '../local-days/window.js';
import { readStatistics, type StatsSource } from '../stats/source.js';
import { readTypeClicks } from './clicks.js';
import { NO_FIGURES, readFigures, shownFigures } from './metadata-figures.js';

interface TypeRow {
  readonly id: string;
  readonly key: string;
  readonly status: 'active' | 'archived';
}

async function readTypes(database: Queryable, environmentId: string): Promise<readonly TypeRow[]> {
  const { rows } = await database.query<TypeRow>({
    text: 'SELECT id, key, status FROM resource_types WHERE environment_id = $1 ORDER BY key',
    values: [environmentId],
  });
  return rows;
}

/**
 * Clicks, previews and calls of the environment's types, most clicked first. Types with the same number of clicks are in the order of their
 * keys.
 */
export function resourceStats(source: StatsSource, environmentId: string, range: StatsRange, nowMs: number): Promise<ResourceStats> {
  return readStatistics(source, async (database, reading) => {
    const window = await readWindow(database, environmentId, { days: STATS_RANGES[range] }, nowMs);
    const types = await readTypes(database, environmentId);
    const clicks = await readTypeClicks(reading, window);
    const figures = await readFigures(database, environmentId, window);
    const shown = types
      .filter(({ id, status }) => status === 'active' || clicks.has(id) || figures.has(id))
      .map(({ id, key }) => ({
        resource_type: key,
        clicks: clicks.get(id)?.clicks ?? 0,
        top_items: (clicks.get(id)?.top_items ?? []).map((item) => ({ ...item })),
        ...shownFigures(figures.get(id) ?? NO_FIGURES),
      }));
    return {
      range,
      ...shownDays(window),
      as_of: await reading.asOf(window),
      types: shown.toSorted((a, b) => b.clicks - a.clicks),
    };
  });
}
