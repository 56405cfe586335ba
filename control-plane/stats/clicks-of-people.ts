import type { ClickCondition, GroupKey } from '../click-figures/log-query.js';
import { readLogRange } from '../click-figures/log-query.js';
import type { ClicksOfPeople, ClicksScope, PeopleGroups } from '../click-figures/people-sums.js';
import type { ClickReading } from '../click-store/click-store.js';
import type { Queryable } from '../db/database.js';
import { checkLogSize } from './log-bounds.js';

/** Clicks of people in the scope, and of the links and campaigns that are named: from sums if the store has those of the days, else from the log. */
export async function readClicksOfPeople(
  snapshot: Queryable,
  clicks: ClickReading,
  scope: ClicksScope,
  groups: PeopleGroups,
): Promise<ClicksOfPeople> {
  const summed = await clicks.peopleSums(scope, groups);
  if (summed !== null) return summed;
  const { window, link, campaign, nowMs } = scope;
  if (!clicks.takesAnySize) await checkLogSize(snapshot, clicks, [{ window, readings: 3 }]);
  const range = await readLogRange(snapshot, window);
  const count = async (key: GroupKey, condition: readonly ClickCondition[]) => {
    const conditions: ClickCondition[] = [
      ...condition,
      ...(link === null ? [] : [{ field: 'link' as const, value: link }]),
      ...(campaign === null ? [] : [{ field: 'campaign' as const, value: campaign }]),
    ];
    const rows = await clicks.groups({ range, conditions, key, limit: Number.MAX_SAFE_INTEGER });
    return new Map(rows.map(({ value, human }) => [value ?? '', human]));
  };
  return {
    as_of: new Date(nowMs - clicks.storedWithinMs).toISOString(),
    total: (await count('nothing', [])).get('') ?? 0,
    links: await count({ field: 'link' }, [{ links: groups.links }]),
    campaigns: await count({ field: 'campaign' }, [{ campaigns: groups.campaigns }]),
  };
}
