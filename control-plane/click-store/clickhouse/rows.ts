import { idTimeMs, idToUuid } from '../../../shared/base/ids.js';
import type { ClickHouse } from '../../../shared/clickhouse/connection.js';
import { UTM_FIELDS } from '../../../shared/records/records.js';
import type { ExportWanted } from '../../clicks/export.js';
import { type ClickRow, lineOf } from '../../clicks/exported-click.js';
import type { ClickWanted, FoundClick } from '../../clicks/find-click.js';
import { type StreamedClick, type StreamedRow, type StreamedWanted, streamedClicksOf } from '../../clicks/streamed.js';
import { TypeKeys } from '../../clicks/type-keys.js';
import type { Queryable } from '../../db/database.js';
import { dayParts, type Span } from '../../local-days/span.js';
import type { AuditedDay } from '../click-store.js';
import { digitsOf, uuidOf, Values } from './sql.js';

/** Reads single clicks from ClickHouse. */

const TEXTS = [
  'item_id',
  'os_version',
  'in_app_browser',
  'os',
  'browser',
  'browser_version',
  'bot_reason',
  'country',
  'region',
  'city',
  'source',
  'referrer_host',
  'campaign',
  ...UTM_FIELDS,
  'params',
  'destination',
] as const;

const COLUMNS = `hex(click.id) AS click_id, toUnixTimestamp64Milli(occurred_at) AS occurred_at_ms, kind, hex(subject_id) AS subject,
  hex(resource_type_id) AS resource_type, host, path, platform, bot, params_dropped, batch_id, ${TEXTS.join(', ')}`;

interface Row extends Record<(typeof TEXTS)[number] | 'host' | 'path' | 'platform', string> {
  readonly click_id: string;
  readonly occurred_at_ms: string;
  readonly kind: 'link' | 'template';
  readonly subject: string;
  readonly resource_type: string;
  readonly bot: boolean;
  readonly params_dropped: boolean;
  readonly batch_id: string;
}

const NO_ID = '0'.repeat(32);

function typeIdOf({ resource_type }: Pick<Row, 'resource_type'>): string | null {
  return resource_type === NO_ID ? null : uuidOf(resource_type);
}

/** Converts the row to the form that PostgreSQL returns, with null for empty values. */
function loggedRow(row: Row): StreamedRow {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, row[name] === '' ? null : row[name]]));
  return {
    ...texts,
    id: uuidOf(row.click_id),
    occurred_at: new Date(Number(row.occurred_at_ms)),
    kind: row.kind,
    subject_id: uuidOf(row.subject),
    resource_type_id: typeIdOf(row),
    host: row.host,
    path: row.path,
    platform: row.platform,
    bot: row.bot,
    params_dropped: row.params_dropped,
    batch_id: row.batch_id,
  } as unknown as StreamedRow;
}

/** Number of rows of one statement, about 12 MB. Each statement sorts the environment's clicks of the day once. */
const PAGE_ROWS = 20_000;
/** Number of rows written at once, about 300 KB of text. */
const WRITTEN_ROWS = 1000;

interface ExportedRow extends Row {
  readonly agent: string;
  readonly address: string | null;
  readonly visitor: string;
}

/** Writes the clicks of an environment in the order of their time, page by page. Returns how many. */
export async function exportRows(clickHouse: ClickHouse, database: Queryable, wanted: ExportWanted): Promise<number> {
  const { after, span, onProgress } = wanted;
  const parts = dayParts(after === null || after.occurred_at < span.from ? span : { from: after.occurred_at, to: span.to });
  let last = after === null ? null : { occurred_at_ms: String(after.occurred_at.getTime()), click_id: digitsOf(after.id) };
  const typeKeys = new TypeKeys();
  let clicks = 0;
  for (const [done, part] of parts.entries()) {
    for (;;) {
      const rows: readonly ExportedRow[] = await readPage(clickHouse, { environmentNumber: wanted.environmentNumber, part, last });
      const agents = await readUserAgents(database, [...new Set(rows.map(({ agent }) => agent))]);
      for (let at = 0; at < rows.length; at += WRITTEN_ROWS) {
        const some = rows.slice(at, at + WRITTEN_ROWS).map((row) => exportedRow(row, agents));
        await wanted.write((await typeKeys.named(database, some)).map((row) => lineOf(row, wanted.format)).join(''));
      }
      clicks += rows.length;
      last = rows.at(-1) ?? last;
      if (rows.length < PAGE_ROWS) break;
    }
    onProgress?.(done + 1, parts.length);
  }
  return clicks;
}

interface PageWanted {
  readonly environmentNumber: number;
  readonly part: Span;
  /** The last click that was read. */
  readonly last: Pick<Row, 'occurred_at_ms' | 'click_id'> | null;
}

function readPage(clickHouse: ClickHouse, { environmentNumber, part, last }: PageWanted): Promise<readonly ExportedRow[]> {
  const values = new Values();
  const where = [
    `environment_number = ${values.add('Int32', environmentNumber)}`,
    `occurred_at >= ${values.addTime(part.from)} AND occurred_at < ${values.addTime(part.to)}`,
  ];
  if (last !== null) {
    const id = `toFixedString(${values.addUuid(last.click_id)}, 16)`;
    where.push(`(toUnixTimestamp64Milli(occurred_at), click.id) > (${values.add('Int64', last.occurred_at_ms)}, ${id})`);
  }
  return clickHouse.rows<ExportedRow>(
    `SELECT ${COLUMNS}, user_agent_hash AS agent, hex(address_hash) AS address, visitor_hash AS visitor
     FROM clicks AS click WHERE ${where.join(' AND ')}
     ORDER BY toUnixTimestamp64Milli(occurred_at), click.id LIMIT ${values.add('UInt64', PAGE_ROWS)}`,
    values.values,
  );
}

function exportedRow(row: ExportedRow, agents: ReadonlyMap<string, string>): ClickRow {
  return {
    ...loggedRow(row),
    user_agent: agents.get(row.agent) ?? null,
    address_hash: row.address === null ? null : Buffer.from(row.address, 'hex'),
    visitor_hash: row.visitor,
  };
}

/** Reads the texts of user agents, which are in PostgreSQL for every store. */
async function readUserAgents(database: Queryable, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await database.query<{ hash: string; user_agent: string }>({
    name: 'read_user_agents',
    text: 'SELECT user_agent_hash AS hash, user_agent FROM user_agents WHERE user_agent_hash = ANY ($1::bigint[])',
    values: [hashes],
  });
  return new Map(rows.map(({ hash, user_agent }) => [hash, user_agent]));
}

/** Finds a click. Its time is known from its id, so only one day has to be searched. */
export async function findRow(
  clickHouse: ClickHouse,
  database: Queryable,
  { environmentId, clickId }: ClickWanted,
): Promise<FoundClick | null> {
  const { rows: environments } = await database.query<{ number: number }>({
    name: 'environment_number',
    text: 'SELECT number FROM environments WHERE id = $1',
    values: [environmentId],
  });
  if (environments[0] === undefined) return null;
  const values = new Values();
  const where = [
    `environment_number = ${values.add('Int32', environments[0].number)}`,
    `occurred_at = ${values.addTime(new Date(idTimeMs('click', clickId) as number))}`,
    `id = ${values.addUuid(idToUuid('click', clickId) as string)}`,
  ];
  const [row] = await clickHouse.rows<Pick<Row, 'kind' | 'subject' | 'campaign' | 'resource_type' | 'item_id'>>(
    `SELECT kind, hex(subject_id) AS subject, campaign, hex(resource_type_id) AS resource_type, item_id
     FROM clicks WHERE ${where.join(' AND ')} LIMIT 1`,
    values.values,
  );
  if (row === undefined) return null;
  return {
    kind: row.kind,
    subject_id: uuidOf(row.subject),
    campaign: row.campaign === '' ? null : row.campaign,
    resource_type_id: typeIdOf(row),
    item_id: row.item_id === '' ? null : row.item_id,
  };
}

/** Reads clicks in the order of their batches. */
export async function streamRows(
  clickHouse: ClickHouse,
  database: Queryable,
  { environmentNumber, batches, after, limit }: StreamedWanted,
): Promise<readonly StreamedClick[]> {
  const values = new Values();
  const ids = values.add(
    'Array(Int64)',
    batches.map(({ batch_id }) => batch_id),
  );
  const where = [
    `environment_number = ${values.add('Int32', environmentNumber)} AND batch_id IN ${ids}`,
    `occurred_at >= ${values.addTime(new Date(Math.min(...batches.map(({ from_at }) => from_at.getTime()))))}`,
    // Times of clicks may have fractions of a millisecond, which a Date cannot hold.
    `occurred_at < ${values.addTime(new Date(Math.max(...batches.map(({ to_at }) => to_at.getTime())) + 1))}`,
  ];
  if (after !== null) {
    const batch = `indexOf(${ids}, ${values.add('Int64', String(after.batch_id))})`;
    where.push(
      `(indexOf(${ids}, batch_id), click.id) > (${batch}, toFixedString(${values.addUuid(idToUuid('click', after.id) as string)}, 16))`,
    );
  }
  const rows = await clickHouse.rows<Row>(
    `SELECT ${COLUMNS} FROM clicks AS click WHERE ${where.join(' AND ')}
     ORDER BY indexOf(${ids}, batch_id), click.id LIMIT ${values.add('UInt64', limit)}`,
    values.values,
  );
  return streamedClicksOf(database, rows.map(loggedRow));
}

/** Audits one day at a time, because the ids of a day take memory. */
export async function auditDays(clickHouse: ClickHouse, span: Span): Promise<readonly AuditedDay[]> {
  const days: AuditedDay[] = [];
  for (const { day, from, to } of dayParts(span)) {
    const values = new Values();
    const counted = await clickHouse.row<{ stored: string; ids: string }>(
      `SELECT count() AS stored, uniqExact(id) AS ids FROM clicks WHERE occurred_at >= ${values.addTime(from)} AND occurred_at < ${values.addTime(to)}`,
      values.values,
    );
    days.push({ day, clicks: Number(counted.stored), ids: Number(counted.ids) });
  }
  return days;
}
