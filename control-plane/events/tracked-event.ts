import { isId } from '../../shared/base/ids.js';
import { formatInstant, parseInstant } from '../../shared/base/instant.js';
import { EVENT_AHEAD_MS_MAX } from '../../shared/base/limits.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import type { TrackedEvent, TrackedEventCreate } from '../../shared/contract/schemas/tracked-event.js';
import { dataIssues } from '../../shared/resolve/data-rules.js';
import { buildEvent, type EventOrigin, type EventRow } from '../../shared/webhooks/body.js';
import type { Queryable } from '../db/database.js';
import { bodyErrors } from '../http/issue-errors.js';
import { fieldError } from '../http/problems.js';
import type { Conversion } from './conversion.js';

/** ISO 4217 codes that Unicode does not list as currencies for payment: funds, metals, units of account, and the newest. */
const OTHER_CURRENCIES = 'BOV CHE CHW CLF COU MXV SLE USN UYI UYW VED XAD XAG XAU XBA XBB XBC XBD XCG XDR XPD XPT XSU XTS XUA ZWG'.split(
  ' ',
);

/** ISO 4217 codes in the runtime's Unicode data, which include past currencies, and the others. */
const CURRENCIES: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('currency'), ...OTHER_CURRENCIES]);

/** Checks the rules of an event that its schema cannot express. Looks only at values of the right type. */
export function trackedEventErrors(body: Readonly<Record<string, unknown>>, nowMs: number): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { click_id, value, currency, properties, occurred_at } = body;
  if (typeof click_id === 'string' && !isId('click', click_id))
    errors.push(fieldError('body', '/click_id', 'invalid_format', 'must be the id of a click, such as clk_01jd4v6xq8e5s0m3k7n9p2r4tw'));
  if (typeof currency === 'string' && !CURRENCIES.has(currency))
    errors.push(fieldError('body', '/currency', 'invalid_value', 'must be an ISO 4217 code such as EUR'));
  if (typeof currency === 'string' && (value === undefined || value === null))
    errors.push(fieldError('body', '/value', 'required', 'is required with a currency'));
  if (typeof properties === 'object' && properties !== null && !Array.isArray(properties))
    errors.push(...bodyErrors(dataIssues(properties, '/properties')));
  const occurredMs = typeof occurred_at === 'string' ? parseInstant(occurred_at) : null;
  if (occurredMs !== null && occurredMs > nowMs + EVENT_AHEAD_MS_MAX)
    errors.push(fieldError('body', '/occurred_at', 'invalid_range', 'must not be in the future'));
  return errors;
}

export type TrackedEventSource = TrackedEvent['source'];

/** Makes the event to store from a body that has passed its schema and `trackedEventErrors`, and the event for webhook endpoints. */
export function newTrackedEvent(
  body: TrackedEventCreate,
  conversion: Conversion,
  source: TrackedEventSource,
  origin: EventOrigin,
): { readonly tracked: TrackedEvent; readonly event: EventRow } {
  const occurredMs = body.occurred_at === undefined || body.occurred_at === null ? origin.at_ms : parseInstant(body.occurred_at);
  const data = {
    name: body.name,
    source,
    install_id: body.install_id ?? null,
    ...conversion,
    value: body.value ?? null,
    currency: body.currency ?? null,
    properties: body.properties ?? null,
    occurred_at: formatInstant(occurredMs as number),
  };
  const event = buildEvent(origin, 'event.tracked', data);
  return { tracked: { id: event.id, environment: origin.environment, ...data, created_at: formatInstant(origin.at_ms) }, event };
}

/** Inserts the tracked event and the webhook event in one statement. */
export async function insertTrackedEvent(database: Queryable, environmentId: string, row: TrackedEvent, event: EventRow): Promise<void> {
  await database.query({
    name: 'insert_tracked_event',
    text: `WITH tracked AS (
             INSERT INTO tracked_events (id, created_at, environment_id, source, name, install_id, click_id, value, currency, properties, occurred_at,
               link_id, campaign, resource_type, item_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $13, $14, $15, $16)
             RETURNING id, created_at, environment_id
           )
           SELECT insert_events(ARRAY[id], ARRAY[created_at], ARRAY[environment_id], ARRAY['event.tracked'], ARRAY[$12]) FROM tracked`,
    values: [
      row.id,
      row.created_at,
      environmentId,
      row.source,
      row.name,
      row.install_id,
      row.click_id,
      row.value,
      row.currency,
      row.properties === null ? null : JSON.stringify(row.properties),
      row.occurred_at,
      event.body,
      row.link_id,
      row.campaign,
      row.resource_type,
      row.item_id,
    ],
  });
}
