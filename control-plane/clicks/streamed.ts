import { idToUuid, uuidToId } from '../../shared/base/ids.js';
import type { ClickSource } from '../../shared/contract/schemas/click-source.js';
import type { ClickEventInput } from '../../shared/webhooks/body.js';
import type { Database, Queryable } from '../db/database.js';
import { readKeysOfTypes } from './type-keys.js';

export interface StreamedClick extends ClickEventInput {
  readonly batch_id: bigint;
}

/** A row of `clicks`, where its columns differ from the fields of events. */
export interface StreamedRow extends Omit<ClickEventInput, 'occurred_at_ms' | 'resource_type' | 'source'> {
  readonly batch_id: string;
  readonly occurred_at: Date;
  /** Null stands for `link`. */
  readonly source: ClickSource | null;
}

/** A batch of the click log. */
export interface LoggedBatch {
  readonly batch_id: bigint;
  readonly from_at: Date;
  readonly to_at: Date;
}

export interface StreamedWanted {
  readonly environmentNumber: number;
  /** At least one. */
  readonly batches: readonly LoggedBatch[];
  /** The last click that was read; null to read from the beginning. */
  readonly after: StreamedClick | null;
  readonly limit: number;
}

/** Reads clicks in the order of their batches. */
export async function readStreamedClicks(
  database: Database,
  { environmentNumber, batches, after, limit }: StreamedWanted,
): Promise<readonly StreamedClick[]> {
  const times = (of: (batch: LoggedBatch) => Date) => batches.map((batch) => of(batch).getTime());
  const rows = await database.transaction(async (transaction) => {
    // Forces use of the index of batches: in a partition that has not been analyzed yet, reading all of it looks as cheap.
    await transaction.query({
      name: 'plan_click_stream',
      text: `SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`,
      values: [],
    });
    const { rows } = await transaction.query<StreamedRow>({
      name: 'read_streamed_clicks',
      text: `
        SELECT batch_id, id, occurred_at, kind, subject_id, resource_type_id, item_id, host, path, platform, os_version, in_app_browser, os,
          browser, browser_version, bot, bot_reason, country, region, city, source, referrer_host, campaign, utm_source, utm_medium,
          utm_campaign, utm_term, utm_content, params, params_dropped, destination
        FROM clicks
        WHERE occurred_at >= $1 AND occurred_at < $2 AND environment_number = $3
          AND batch_id >= $4 AND batch_id <= $5 AND batch_id = ANY ($6::bigint[])
          AND ($7::bigint IS NULL OR (array_position($6::bigint[], batch_id), id) > (array_position($6::bigint[], $7::bigint), $8::uuid))
        ORDER BY array_position($6::bigint[], batch_id), id
        LIMIT $9`,
      values: [
        new Date(Math.min(...times(({ from_at }) => from_at))),
        // Times of clicks have fractions of a millisecond, which a Date cannot hold.
        new Date(Math.max(...times(({ to_at }) => to_at)) + 1),
        environmentNumber,
        ...extremesOf(batches),
        batches.map(({ batch_id }) => String(batch_id)),
        after === null ? null : String(after.batch_id),
        after === null ? null : idToUuid('click', after.id),
        limit,
      ],
    });
    return rows;
  });
  return streamedClicksOf(database, rows);
}

function extremesOf(batches: readonly LoggedBatch[]): readonly [string, string] {
  const ids = batches.map(({ batch_id }) => batch_id).sort((one, other) => (one < other ? -1 : 1));
  return [String(ids[0]), String(ids.at(-1))];
}

/** Converts the rows to clicks, with the keys of their resource types. */
export async function streamedClicksOf(database: Queryable, rows: readonly StreamedRow[]): Promise<readonly StreamedClick[]> {
  const typeId = ({ resource_type_id }: StreamedRow) => (resource_type_id === null ? null : uuidToId('resourceType', resource_type_id));
  const ids = [...new Set(rows.map(typeId).filter((id) => id !== null))];
  const types = ids.length === 0 ? [] : await readKeysOfTypes(database, ids);
  const keys = new Map(types.map(({ id, key }) => [id, key]));
  return rows.map((row) => {
    const { occurred_at, ...click } = row;
    const type = typeId(row);
    return {
      ...click,
      batch_id: BigInt(row.batch_id),
      id: uuidToId('click', row.id),
      occurred_at_ms: occurred_at.getTime(),
      subject_id: uuidToId(row.kind === 'link' ? 'link' : 'urlTemplate', row.subject_id),
      resource_type_id: type,
      resource_type: type === null ? null : (keys.get(type) ?? null),
      source: row.source ?? 'link',
    };
  });
}
