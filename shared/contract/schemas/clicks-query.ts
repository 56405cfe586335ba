import Type from 'typebox';
import { DAY_RANGES } from '../../base/day-ranges.js';
import { UTM_FIELDS } from '../../records/records.js';
import { PLATFORMS } from '../../resolve/recognise-visitor.js';
import { closedObject, membersOf, nullable, oneOf, text, timestamp } from './fields.js';
import { clickCounts, statsDate, statsPeriod } from './stats.js';

/** Filters by a click's own fields. */
export const CLICK_FILTERS = [
  ...(['link', 'campaign', 'resource_type', 'item', 'host', 'path', 'source', 'referrer_host', 'in_app_browser'] as const),
  ...(['platform', 'os', 'os_version', 'browser', 'browser_version', 'country', 'region', 'city'] as const),
  ...(['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'bot_reason'] as const),
] as const;
export type ClickFilter = (typeof CLICK_FILTERS)[number];

/** Dimensions of clicks: their own fields, and the tags that their links have now. Each is a filter and a possible `breakdown`. */
export const CLICK_DIMENSIONS = [...CLICK_FILTERS, 'tag'] as const;
export type ClickDimension = (typeof CLICK_DIMENSIONS)[number];

export const CLICK_INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type ClickInterval = (typeof CLICK_INTERVALS)[number];

/** What clicks are counted by. */
export const CLICK_MEASURES = ['human', 'unique', 'all'] as const;
export type ClickMeasure = (typeof CLICK_MEASURES)[number];

/** Rows of a breakdown. */
export const BREAKDOWN_LIMIT_DEFAULT = 10;
const BREAKDOWN_LIMIT_MAX = 1000;

const FILTER_CHARACTERS_MAX = 512;

const filter = (description: string) => Type.Optional(Type.String({ format: 'plain-text', maxLength: FILTER_CHARACTERS_MAX, description }));

const filterHelp: Readonly<Record<ClickFilter, string>> = {
  link: 'Id of a link',
  campaign: 'Key of a campaign',
  resource_type: 'Key of a resource type',
  item: 'Id of an item, as it appeared in the URL, whatever its type',
  host: 'Host that was visited',
  path: 'Path that was visited, without the leading slash: for a visit to an alias, the path of the alias',
  platform: `What the visitor’s device runs: ${PLATFORMS.map((name) => `\`${name}\``).join(', ')}`,
  os: 'Operating system, such as `iOS` or `Windows`',
  os_version: 'Version of the operating system, such as `17.5.1`, where the browser tells it',
  browser: 'Name of the browser, such as `Safari`. For the browser of an app, the name of the app',
  browser_version: 'First number of the browser’s version',
  country: 'ISO 3166-1 alpha-2',
  region: 'ISO 3166-2, such as `DE-BE`. Known if the proxy sends it or the operator has a city database',
  city: 'Name of the city as the proxy sends it, or its English name from the operator’s city database. Cities of different countries may share a name',
  source: '`qr` for a visitor who scanned the QR code of the link, else `link`',
  referrer_host: 'Host of the page that led to the link',
  in_app_browser: 'The app whose browser was used',
  ...membersOf(UTM_FIELDS, () => 'UTM field of the link or its campaign'),
  bot_reason: 'Why the click counts as a bot’s',
};

/** The filters of a query, each a parameter of its own. */
export const clickFilterSchemas = membersOf(CLICK_FILTERS, (name) => filter(filterHelp[name]));

export const tagFilter = filter('Name of a tag that links have now; empty for links without a tag, and for items');

export const clicksQuerySchema = closedObject({
  range: Type.Optional(
    oneOf(
      DAY_RANGES,
      'Days that move with the calendar, in the project’s time zone. It replaces `from` and `to` and cannot be used with them',
    ),
  ),
  from: Type.Optional(statsDate('First day, in the project’s time zone; by default six days before `to`')),
  to: Type.Optional(statsDate('Last day, inclusive; today if it is absent or in the future')),
  interval: Type.Optional(
    oneOf(CLICK_INTERVALS, 'What one entry of `series` covers. Weeks begin on Monday. If it is absent, there is no series'),
  ),
  breakdown: Type.Optional(
    oneOf(
      CLICK_DIMENSIONS,
      'What `breakdown` groups clicks by. With `tag` a click counts for each tag that its link has now. With `item`, items of different types are separate even if they have the same id',
    ),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: BREAKDOWN_LIMIT_MAX,
      default: BREAKDOWN_LIMIT_DEFAULT,
      description: 'Maximum number of rows in `breakdown`',
    }),
  ),
  measure: Type.Optional({
    ...oneOf(
      CLICK_MEASURES,
      'What the rows of `breakdown` are sorted by before `limit` cuts them off: clicks by people, unique visitors, or all clicks',
    ),
    default: 'human',
  }),
  compare: Type.Optional(Type.Boolean({ description: 'Whether to return the totals of the same number of days before, too' })),
  ...clickFilterSchemas,
  tag: tagFilter,
});
export type ClicksQuery = Type.Static<typeof clicksQuerySchema>;

const totals = (description: string) => Type.Object(clickCounts, { description });

export const clicksAnswerSchema = Type.Object(
  {
    from: statsPeriod.from,
    to: statsDate('Last day, in the project’s time zone'),
    timezone: statsPeriod.timezone,
    as_of: statsPeriod.as_of,
    totals: totals('Over the whole range'),
    previous: nullable(
      Type.Object(
        { from: statsDate('First day'), to: statsDate('Last day'), totals: totals('Over those days') },
        { description: 'The same number of days before; null unless `compare` is true' },
      ),
    ),
    series: Type.Array(
      Type.Object({ start: timestamp('When it begins'), date: statsDate('Its first day within the range'), ...clickCounts }),
      { description: 'Every hour, day, week or month of the range that has begun, including those without clicks, oldest first' },
    ),
    breakdown: Type.Array(
      Type.Object({
        value: nullable(
          text(
            'Id of a link, key of a campaign or resource type, name of a tag, or the value itself; null if there is none or it is not known',
          ),
        ),
        resource_type: nullable(text('Key of the type of an item; null for anything else')),
        name: nullable(text('Path of a link; null for anything else, and for a link that was deleted for good')),
        ...clickCounts,
      }),
      { description: 'Sorted by `measure`, most first; empty unless `breakdown` was asked for' },
    ),
  },
  { description: 'Clicks that match the filters' },
);
export type ClicksAnswer = Type.Static<typeof clicksAnswerSchema>;
