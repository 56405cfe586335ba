import { idTimeMs } from '../../shared/base/ids.js';
import { DAY_MS, HOUR_MS, INSTANT_MIN_MS, parseInstant } from '../../shared/base/instant.js';
import { DELIVERY_LOG_DAYS, DELIVERY_WINDOW_DEFAULT_DAYS } from '../../shared/base/limits.js';
import type { FieldCode, FieldError, FieldPlace } from '../../shared/contract/schemas/problem-codes.js';
import { checkOutboundUrl, type OutboundUrlCheck, URL_REFUSAL_DETAILS, type UrlRefusal } from '../../shared/net/public-host.js';
import { fieldError } from '../http/problems.js';
import type { CreatedBetween } from './sql.js';
import type { WebhookRow } from './webhook-row.js';

/** A row is created within this time of the moment that its id contains. The bounds limit a search to three day partitions. */
const ROW_TIME_SLACK_MS = DAY_MS;

/** When the rows of the ids may have been created. There must be at least one id. */
export function createdBetween(kind: 'event' | 'delivery', ids: readonly string[]): CreatedBetween {
  const times = ids.map((id) => idTimeMs(kind, id) as number);
  return { fromMs: Math.min(...times) - ROW_TIME_SLACK_MS, toMs: Math.max(...times) + ROW_TIME_SLACK_MS };
}

const URL_CODES: Readonly<Partial<Record<UrlRefusal, FieldCode>>> = {
  malformed: 'invalid_url',
  credentials: 'invalid_url',
  rewritten: 'invalid_url',
  not_https: 'scheme_not_allowed',
};

/** What is wrong with a URL to which events are to be sent. Resolves its host name, because it must be public. */
export async function webhookUrlErrors(url: unknown, check: OutboundUrlCheck): Promise<readonly FieldError[]> {
  if (typeof url !== 'string' || url === '') return [];
  const refusal = await checkOutboundUrl(url, check);
  return refusal === null ? [] : [fieldError('body', '/url', URL_CODES[refusal] ?? 'host_not_public', URL_REFUSAL_DETAILS[refusal])];
}

/**
 * A URL that `webhookUrlErrors` accepts, in the form in which all URLs are stored: as the URL standard writes it, IDN and paths in ASCII.
 */
export function storedUrl(url: string): string {
  return new URL(url).href;
}

/** Whether deliveries to both would be the same request, however the URLs are spelled. A fragment and the mark of an empty query are never sent. */
export function isSameRequest(one: string, other: string): boolean {
  return sentUrl(new URL(one)) === sentUrl(new URL(other));
}

function sentUrl({ origin, pathname, search }: URL): string {
  return origin + pathname + search;
}

/** What changes with the status of an endpoint. `reason` says why it is disabled, if it is. */
export function movedTo(status: WebhookRow['status'], nowMs: number, reason: string): Partial<WebhookRow> {
  return status === 'active'
    ? { status, disabled_at: null, disabled_reason: null, failing_since: null }
    : { status, disabled_at: new Date(nowMs), disabled_reason: reason };
}

/** The window of a delivery list, in milliseconds since the epoch; `toMs` is null if nothing bounds it. */
export interface DeliveryWindow {
  readonly fromMs: number;
  readonly toMs: number | null;
}

export function deliveryWindow(
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  nowMs: number,
): DeliveryWindow {
  const from = query.from === undefined ? null : parseInstant(query.from);
  const to = query.to === undefined ? null : parseInstant(query.to);
  return { fromMs: from ?? Math.max(INSTANT_MIN_MS, (to ?? nowMs) - DELIVERY_WINDOW_DEFAULT_DAYS * DAY_MS), toMs: to };
}

/**
 * The window must not be empty, nor wider than the time for which the log is kept. One that ends now may be an hour wider: its end moves
 * while a client computes the beginning and reads page after page. Returns no error if an end is not an instant, because the schema has
 * then refused it.
 */
export function deliveryWindowErrors(
  query: Readonly<Record<string, unknown>>,
  nowMs: number,
  place: FieldPlace = 'query',
): readonly FieldError[] {
  const { from, to } = query;
  if (!isInstantOrAbsent(from) || !isInstantOrAbsent(to)) return [];
  const { fromMs, toMs } = deliveryWindow({ from, to }, nowMs);
  const pointer = from === undefined ? '/to' : '/from';
  if (fromMs > (toMs ?? nowMs)) return [fieldError(place, pointer, 'invalid_range', 'the window must not begin after its end')];
  if ((toMs ?? nowMs - HOUR_MS) - fromMs > DELIVERY_LOG_DAYS * DAY_MS)
    return [fieldError(place, pointer, 'invalid_range', `the window must be at most ${DELIVERY_LOG_DAYS} days wide`)];
  return [];
}

function isInstantOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && parseInstant(value) !== null);
}
