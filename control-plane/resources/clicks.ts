import { uuidToId } from '../../shared/base/ids.js';
import { STATS_TOP_MAX } from '../../shared/contract/schemas/stats.js';
import type { ClickReading } from '../click-store/click-store.js';
import type { StatsWindow } from '../local-days/window.js';

/** Clicks by people on the items of one type. */
export interface TypeClicks {
  readonly clicks: number;
  /** Most clicked first. */
  readonly top_items: readonly { readonly id: string; readonly clicks: number }[];
}

/** By the id of the resource type. A type that no person clicked on is absent. */
export async function readTypeClicks(reading: ClickReading, window: StatsWindow): Promise<ReadonlyMap<string, TypeClicks>> {
  const scope = { window };
  const types = await reading.sums({ scope, daily: [], total: ['type'], top: Number.MAX_SAFE_INTEGER });
  const items = await reading.topValues({ scope, lists: ['item'], top: STATS_TOP_MAX });
  return new Map(
    types
      .filter(({ human }) => human > 0)
      .map(({ subject_id, human }) => [
        uuidToId('resourceType', subject_id),
        {
          clicks: human,
          top_items: items.filter((item) => item.subject_id === subject_id).map(({ value, human }) => ({ id: value, clicks: human })),
        },
      ]),
  );
}
