import { idAt } from '../base/ids.js';
import { formatInstant } from '../base/instant.js';
import type { EventData, EventType } from '../contract/schemas/events.js';
import type { EnvironmentName } from '../records/records.js';
import { firstValues } from '../resolve/query.js';
import { sampleData } from './samples.js';

/** The environment of an event, and when it happened. */
export interface EventOrigin {
  readonly environment_id: string;
  readonly environment: EnvironmentName;
  /** Milliseconds since the epoch. */
  readonly at_ms: number;
}

/**
 * An event as the `events` table contains it. `body` is the text that is stored, signed and sent, byte for byte the
 * same for every attempt: it is never parsed and serialised again on the way.
 */
export interface EventRow {
  readonly id: string;
  readonly created_at_ms: number;
  readonly environment_id: string;
  readonly type: EventType;
  readonly body: string;
}

/** An event of the type with a fresh id. */
export function buildEvent<Name extends EventType>(origin: EventOrigin, type: Name, data: EventData<Name>): EventRow {
  return eventRow(origin, type, data, undefined);
}

/** A sample event of the type with a fresh id, labelled `test`, for the test operation. */
export function sampleEvent(origin: EventOrigin, type: EventType): EventRow {
  return eventRow(origin, type, sampleData(type, origin.environment, origin.at_ms), true);
}

function eventRow(origin: EventOrigin, type: EventType, data: unknown, test: true | undefined): EventRow {
  const id = idAt('event', origin.at_ms);
  // `JSON.stringify` leaves out a `test` that is undefined.
  const body = JSON.stringify({ id, type, created_at: formatInstant(origin.at_ms), environment: origin.environment, test, data });
  return { id, created_at_ms: origin.at_ms, environment_id: origin.environment_id, type, body };
}

/** The five arrays of the SQL function `insert_events`, in the order of its parameters. */
export function eventColumns(events: readonly EventRow[]): [string[], Date[], string[], string[], string[]] {
  return [
    events.map((event) => event.id),
    events.map((event) => new Date(event.created_at_ms)),
    events.map((event) => event.environment_id),
    events.map((event) => event.type),
    events.map((event) => event.body),
  ];
}

/** A link as the API shows it; an event carries the same fields. */
export type LinkEventInput = EventData<'link.created'>;

export function linkCreatedEvent(origin: EventOrigin, link: LinkEventInput): EventRow {
  return buildEvent(origin, 'link.created', link);
}

/** `changedFields` are the names of the members of `link` whose value the change altered. */
export function linkUpdatedEvent(origin: EventOrigin, link: LinkEventInput, changedFields: readonly string[]): EventRow {
  return buildEvent(origin, 'link.updated', { ...link, changed_fields: [...changedFields] });
}

/** `reason` says why the link no longer works. */
export function linkDisabledEvent(origin: EventOrigin, link: LinkEventInput, reason: EventData<'link.disabled'>['reason']): EventRow {
  return buildEvent(origin, 'link.disabled', { ...link, reason });
}

/** `destination` is the URL of the link that is on the block list. */
export function linkBlockedEvent(origin: EventOrigin, link: LinkEventInput, destination: string): EventRow {
  return buildEvent(origin, 'link.blocked', { ...link, blocked_destination: destination });
}

/** A click as the click log stores it; null if the log has no value. */
export interface ClickEventInput extends Readonly<Omit<EventData<'click.created'>, 'occurred_at' | 'link_id' | 'template_id' | 'params'>> {
  readonly occurred_at_ms: number;
  /** The link's or the template's id, by `kind`. */
  readonly subject_id: string;
  /** The query that was passed through, without `?`; null if there was none. */
  readonly params: string | null;
}

/** A click as customers see it. Hashes of the visitor stay in the click log and never leave the service. */
export function clickData(click: ClickEventInput): EventData<'click.created'> {
  return {
    id: click.id,
    occurred_at: formatInstant(click.occurred_at_ms),
    kind: click.kind,
    link_id: click.kind === 'link' ? click.subject_id : null,
    template_id: click.kind === 'template' ? click.subject_id : null,
    resource_type_id: click.resource_type_id,
    resource_type: click.resource_type,
    item_id: click.item_id,
    host: click.host,
    path: click.path,
    platform: click.platform,
    os_version: click.os_version,
    in_app_browser: click.in_app_browser,
    os: click.os,
    browser: click.browser,
    browser_version: click.browser_version,
    bot: click.bot,
    bot_reason: click.bot_reason,
    country: click.country,
    region: click.region,
    city: click.city,
    source: click.source,
    referrer_host: click.referrer_host,
    campaign: click.campaign,
    utm_source: click.utm_source,
    utm_medium: click.utm_medium,
    utm_campaign: click.utm_campaign,
    utm_term: click.utm_term,
    utm_content: click.utm_content,
    params: click.params === null ? null : firstValues(click.params),
    params_dropped: click.params_dropped,
    destination: click.destination,
  };
}

/** The event of a click. */
export function clickCreatedEvent(origin: EventOrigin, click: ClickEventInput): EventRow {
  return buildEvent(origin, 'click.created', clickData(click));
}
