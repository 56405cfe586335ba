import Type from 'typebox';
import { UTM_FIELDS } from '../../records/records.js';
import { campaignSchema } from './campaign.js';
import { CLICK_SOURCES } from './click-source.js';
import { domainSchema } from './domain.js';
import { membersOf, text, timestamp } from './fields.js';
import { linkFieldSchemas } from './link.js';

/**
 * Bodies of webhook events, one schema per type. The `webhooks` section of the OpenAPI document and the types that
 * `shared/webhooks/body.ts` builds with are made from them. `data` is the object that the event is about, flat. Its
 * fields may grow, and a receiver ignores fields that it does not know, so nothing here forbids further members.
 */

const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const textOrNull = (description: string) => nullable(Type.String({ description }));
const oneOf = <const Values extends string[]>(values: Values, description: string) => Type.Enum(values, { description });

const utmFields = membersOf(UTM_FIELDS, (field) => textOrNull(`UTM ${field.slice('utm_'.length)}`));

const linkFields = {
  id: text('Id of the link, lnk_...'),
  url: text('The full short URL'),
  environment: oneOf(['test', 'live'], 'Environment of the link'),
  path: text('Path on the link host'),
  status: oneOf(['active', 'scheduled', 'disabled', 'blocked', 'expired'], 'State of the link when the event was made'),
  ...linkFieldSchemas,
  created_by: Type.Optional(textOrNull('Name that the API key had when it created the link; absent from older events')),
  created_at: timestamp('When the link was made'),
  updated_at: timestamp('When the link was last changed'),
};

const linkData = Type.Object(linkFields);
const linkUpdatedData = Type.Object({
  ...linkFields,
  changed_fields: Type.Array(Type.String(), { description: 'Names of the fields whose value the change altered' }),
});
const linkDisabledData = Type.Object({
  ...linkFields,
  reason: oneOf(['disabled', 'deleted', 'expired'], 'Why the link no longer works'),
});
const linkBlockedData = Type.Object({
  ...linkFields,
  blocked_destination: text('The destination, or the image of the card, that is on the block list'),
});

const clickData = Type.Object({
  id: text('Id of the click, clk_...'),
  occurred_at: timestamp('When the click was answered'),
  kind: oneOf(['link', 'template'], 'What the URL belonged to'),
  link_id: textOrNull('Id of the link, for kind link'),
  template_id: textOrNull('Id of the URL template, for kind template'),
  resource_type_id: textOrNull('Id of the resource type, for kind template'),
  resource_type: textOrNull('Key of the resource type, for kind template'),
  item_id: textOrNull('The item as it appeared in the URL, for kind template'),
  host: text('Host that was called'),
  path: text('Path that was called'),
  platform: oneOf(['ios', 'android', 'desktop', 'other'], 'Platform by the user agent'),
  os_version: textOrNull('Version of the operating system'),
  in_app_browser: textOrNull("App whose own browser made the request, for example 'instagram'"),
  os: textOrNull('Operating system, such as iOS'),
  browser: textOrNull('Name of the browser, such as Safari'),
  browser_version: textOrNull("First number of the browser's version"),
  bot: Type.Boolean({ description: 'Whether the click was made by a bot; all stored clicks are sent' }),
  bot_reason: textOrNull(
    'Why the click counts as a bot’s: `isbot`: by its user agent; `no_user_agent`: it sent none; `prefetch`: a browser fetched the link in advance',
  ),
  country: textOrNull("Country, from a trusted proxy or the operator's IP address database"),
  region: textOrNull("Region, ISO 3166-2, from a trusted proxy or the operator's city database"),
  city: textOrNull("City, as a trusted proxy names it, or in English from the operator's city database"),
  source: oneOf([...CLICK_SOURCES], 'Whether the visitor scanned the QR code of the link'),
  referrer_host: textOrNull('Host of the referrer'),
  campaign: textOrNull('Key of the campaign'),
  ...utmFields,
  params: nullable(
    Type.Record(Type.String(), Type.String(), {
      description: 'Query parameters that were passed on; if a name repeats, its first value',
    }),
  ),
  params_dropped: Type.Boolean({ description: 'Whether the whole query was dropped because it was too large' }),
  destination: textOrNull('Where the visitor was sent'),
});

const attributionFields = {
  install_id: text('Id the app gave its installation'),
  match_type: nullable(oneOf(['opened_url', 'play_referrer', 'clipboard', 'probabilistic'], 'How the open was matched to a click')),
  guaranteed: Type.Boolean({ description: 'Whether the match is certain' }),
  matched_factors: Type.Array(Type.String(), { description: 'Facts that are the same in the click and the open' }),
  reason: textOrNull('Why the open was or was not matched'),
  click_id: textOrNull('Id of the click'),
  link_id: textOrNull('Id of the link behind the click'),
  resource_type: textOrNull('Key of the resource type behind the click'),
  item_id: textOrNull('Item behind the click'),
  deep_link_path: textOrNull('In-app route handed to the app'),
  data: nullable(Type.Record(Type.String(), Type.Unknown(), { description: 'Custom JSON handed to the app' })),
  params: nullable(Type.Record(Type.String(), Type.String(), { description: 'Query parameters handed to the app' })),
  platform: oneOf(['ios', 'android', 'other'], 'Platform of the device'),
  occurred_at: timestamp('When the app was opened'),
};

const attributionData = (attribution: 'attributed' | 'organic' | 'reengaged') =>
  Type.Object({ attribution: Type.Literal(attribution, { description: 'How the open counts' }), ...attributionFields });

const trackedData = Type.Object({
  name: text('Name of the tracked event'),
  source: oneOf(['sdk', 'server'], 'Who reported it'),
  install_id: textOrNull('Installation it belongs to'),
  click_id: textOrNull('Click it belongs to: the one that was named, or else the one that its installation came from'),
  link_id: textOrNull('Id of the link of that click'),
  campaign: textOrNull('Key of the campaign that the link had at the click'),
  resource_type: Type.Optional(textOrNull('Key of the resource type of the item that was clicked on')),
  item_id: Type.Optional(textOrNull('Item that was clicked on')),
  value: nullable(Type.Number({ description: 'Amount' })),
  currency: textOrNull('ISO 4217 code of the amount'),
  properties: nullable(Type.Record(Type.String(), Type.Unknown(), { description: 'Custom properties' })),
  occurred_at: timestamp('When it happened'),
});

/** The `data` of each event type, in the order the contract lists the types. */
export const EVENT_DATA_SCHEMAS = {
  'click.created': clickData,
  'install.attributed': attributionData('attributed'),
  'install.organic': attributionData('organic'),
  'open.reengaged': attributionData('reengaged'),
  'event.tracked': trackedData,
  'link.created': linkData,
  'link.updated': linkUpdatedData,
  'link.disabled': linkDisabledData,
  'link.blocked': linkBlockedData,
  'campaign.created': campaignSchema,
  'campaign.ended': campaignSchema,
  'domain.verified': domainSchema,
  'domain.failed': domainSchema,
} as const;

export type EventType = keyof typeof EVENT_DATA_SCHEMAS;
export type EventData<Name extends EventType> = Type.Static<(typeof EVENT_DATA_SCHEMAS)[Name]>;

export const EVENT_TYPES = Object.keys(EVENT_DATA_SCHEMAS) as readonly EventType[];

/** What each type means; these are also the summaries in the OpenAPI document. */
export const EVENT_DESCRIPTIONS: Readonly<Record<EventType, string>> = {
  'click.created': 'A click was stored. High volume: subscribe deliberately.',
  'install.attributed': 'A first open was matched to a click.',
  'install.organic': 'A first open was not matched to a click.',
  'open.reengaged': 'An existing install opened the app through a link.',
  'event.tracked': 'An event from the SDK or from a server was stored.',
  'link.created': 'A link was created.',
  'link.updated': 'A link was changed.',
  'link.disabled': 'A link no longer works: it was disabled or deleted, or it has expired.',
  'link.blocked': 'A link was blocked because a destination is on the block list.',
  'campaign.created': 'A campaign was created.',
  'campaign.ended': 'A campaign ended.',
  'domain.verified': 'A domain check finished and the domain is verified.',
  'domain.failed': 'A domain check finished and the domain is not verified.',
};

/** The schema of a whole event body. */
export function eventBodySchema(type: EventType): Type.TSchema {
  return Type.Object(
    {
      id: Type.String({ description: 'Id of the event, evt_...; the same for every attempt and replay: deduplicate on it' }),
      type: Type.Literal(type, { description: 'Type of the event' }),
      created_at: timestamp('When the event was made'),
      environment: oneOf(['test', 'live'], 'Environment the event belongs to'),
      test: Type.Optional(Type.Literal(true, { description: 'Present only on sample events of the test operation' })),
      data: EVENT_DATA_SCHEMAS[type],
    },
    { title: type, description: EVENT_DESCRIPTIONS[type] },
  );
}
