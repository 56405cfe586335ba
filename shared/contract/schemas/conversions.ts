import Type from 'typebox';
import { MATCH_TYPES } from '../../attribution/outcome.js';
import { closedObject, count, id, nullable, plainText, text } from './fields.js';
import { statsDate, statsPeriod } from './stats.js';

export const CONVERSIONS_LIMIT_DEFAULT = 10;
const CONVERSIONS_LIMIT_MAX = 100;

export const conversionsQuerySchema = closedObject({
  from: Type.Optional(statsDate('First day, in the project’s time zone; by default 29 days before `to`')),
  to: Type.Optional(statsDate('Last day, inclusive; today if it is absent or in the future')),
  link: Type.Optional(plainText('Id of a link: only what this link has led to', 1, 64)),
  campaign: Type.Optional(plainText('Key of a campaign: only what this campaign has led to', 1, 512)),
  resource_type: Type.Optional(plainText('Key of a resource type: only what its items have led to', 1, 64)),
  item: Type.Optional(plainText('Id of an item, as it appeared in the URL, of any type: only what this item has led to', 1, 512)),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: CONVERSIONS_LIMIT_MAX,
      default: CONVERSIONS_LIMIT_DEFAULT,
      description: 'Maximum number of entries in each of `events`, `campaigns`, `links`, `resource_types` and `items`',
    }),
  ),
});
export type ConversionsQuery = Type.Static<typeof conversionsQuerySchema>;

const values = Type.Array(
  Type.Object({
    currency: nullable(text('ISO 4217; null for values that were sent without one')),
    sum: Type.Number({ description: 'Sum of the values' }),
  }),
  { description: 'Sums of the values of the events, by currency' },
);

const reached = {
  installs: count('First opens of the app that were matched'),
  opens: count('Later opens of installations through a link'),
  events: count('Tracked events'),
  values,
};

const clicks = nullable(count('Clicks by people; null for what belongs to no link or no campaign'));

export const conversionsSchema = Type.Object(
  {
    from: statsPeriod.from,
    to: statsDate('Last day, in the project’s time zone'),
    timezone: statsPeriod.timezone,
    as_of: statsPeriod.as_of,
    totals: Type.Object(
      { clicks: count('Clicks by people'), ...reached, organic_installs: count('First opens that were not matched') },
      { description: 'Over the whole range' },
    ),
    match_types: Type.Array(
      Type.Object({ match_type: Type.Enum([...MATCH_TYPES], { description: 'The rule that matched' }), installs: reached.installs }),
      { description: 'How the installations were matched, in the order in which the rules are tried' },
    ),
    events: Type.Array(Type.Object({ name: text('Name of the tracked event'), count: count('How many there were'), values }), {
      description: 'Tracked events by name, the most frequent first',
    }),
    campaigns: Type.Array(
      Type.Object({ campaign: nullable(text('Key of the campaign; null for what belongs to none')), clicks, ...reached }),
      { description: 'Campaigns that have led to more than clicks, most installations first' },
    ),
    links: Type.Array(
      Type.Object({
        link: nullable(id('lnk_', 'Id of the link; null for what belongs to none')),
        path: nullable(text('Its path; null if the link was deleted for good')),
        clicks,
        ...reached,
      }),
      { description: 'Links that have led to more than clicks, most installations first' },
    ),
    resource_types: Type.Array(
      Type.Object({ resource_type: text('Key of the resource type'), clicks: count('Clicks by people on its items'), ...reached }),
      { description: 'Resource types whose items have led to more than clicks, most installations first' },
    ),
    items: Type.Array(
      Type.Object({
        resource_type: text('Key of its resource type'),
        item: text('Id of the item, as it appeared in the URL'),
        clicks: count('Clicks by people'),
        ...reached,
      }),
      { description: 'Items that have led to more than clicks, most installations first' },
    ),
  },
  { description: 'What clicks have led to' },
);
export type Conversions = Type.Static<typeof conversionsSchema>;
