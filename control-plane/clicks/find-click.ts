import { idTimeMs, idToUuid } from '../../shared/base/ids.js';
import type { ClickKind } from '../../shared/records/records.js';
import type { Queryable } from '../db/database.js';

/** What a click was on. */
export interface FoundClick {
  readonly kind: ClickKind;
  /** `uuid` of the link or the template. */
  readonly subject_id: string;
  /** Key of the campaign that the link had at the time of the click. */
  readonly campaign: string | null;
  /** `uuid` of the resource type of an item; null for a link. */
  readonly resource_type_id: string | null;
  readonly item_id: string | null;
}

export interface ClickWanted {
  readonly environmentId: string;
  readonly clickId: string;
}

/** Finds a click by its id. Returns null if it is not in the log yet, or no longer. */
export async function findClick(database: Queryable, { environmentId, clickId }: ClickWanted): Promise<FoundClick | null> {
  const { rows } = await database.query<FoundClick>({
    name: 'find_logged_click',
    text: `SELECT click.* FROM environments, find_logged_click($2, $3, environments.number) AS click WHERE environments.id = $1`,
    values: [environmentId, idToUuid('click', clickId), new Date(idTimeMs('click', clickId) as number).toISOString()],
  });
  return rows[0] ?? null;
}
