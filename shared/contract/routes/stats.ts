import { clickStreamQuerySchema } from '../schemas/click-stream.js';
import { clicksAnswerSchema, clicksQuerySchema } from '../schemas/clicks-query.js';
import { conversionsQuerySchema, conversionsSchema } from '../schemas/conversions.js';
import { environmentStatsSchema } from '../schemas/environment-stats.js';
import { environmentStatsQuerySchema } from '../schemas/stats.js';
import type { UntaggedRoute } from './route.js';

export const STATS_ROUTES = {
  getStats: {
    method: 'GET',
    path: '/stats',
    summary: 'Read the clicks of the environment',
    description:
      'Clicks of all links and items, over time and by what they came from, counted up to the moment `as_of`, usually a second ago. Days are the project’s, also across a change of clocks. Lists go by clicks of people.',
    scopes: ['analytics:read'],
    query: environmentStatsQuerySchema,
    response: {
      status: 200,
      description: 'Clicks by time, platform, country, referrer, campaign, type, link and item',
      schema: environmentStatsSchema,
    },
  },
  getClicks: {
    method: 'GET',
    path: '/stats/clicks',
    summary: 'Query the clicks of the environment',
    description:
      'Clicks of any days that the click log keeps, with filters that stack: `?country=DE&platform=ios&breakdown=link`. An empty filter, `?campaign=`, is for clicks without a value. Figures of the last 30 days without a filter come from sums, and so do their breakdowns by every field but `tag`: for most of them the log of today is counted too. Figures of those days with `link` or `campaign` as the only filter come from sums as well, but for `interval=hour`, with breakdowns by `platform`, `country` and `referrer_host`. All others are counted from the log, which takes longer the more clicks those days have: where that could take more than 5 seconds the call is refused with the first day that can be asked for (422). With clicks in ClickHouse no number of days is refused: a call may take 25 seconds (503 beyond), and of those that take more than 5 two of an environment (429) and four in all (503) go on at once with one server.',
    scopes: ['analytics:read'],
    query: clicksQuerySchema,
    response: { status: 200, description: 'The clicks that the filters let through', schema: clicksAnswerSchema },
  },
  streamClicks: {
    method: 'GET',
    path: '/clicks/stream',
    summary: 'Follow the clicks of the environment',
    description:
      'Server-sent events: every click of the environment within a second or two of its being stored, those of bots as well. A client that sends the id of its last event as `Last-Event-ID`, as `EventSource` does, is sent what came since, up to 50 minutes back: each click at least once. A few clicks may come twice after a break, so go by their `id`. They come in the order in which they were stored, which differs a little from that of `occurred_at`. A stream ends after 15 minutes at most, and a client comes back with its last id. A key may have 10 streams open at once with one server (429), and a server 100 in all (503).',
    scopes: ['analytics:read'],
    query: clickStreamQuerySchema,
    response: {
      status: 200,
      description: 'Clicks as they are stored',
      events:
        "`click`: its `data` is a `Click` as JSON.\n\n`reset`: clicks between the client's last id and now may be missing, because the id is too old.\n\n`end`: the server ends the stream; `reason` in its `data` is `max_age`, `too_slow` (the client did not take what it was sent within 5 seconds), `revoked`, `shutdown` or `unavailable`.\n\nBlocks without data carry an id to go on from. A comment comes at least every 15 seconds.",
    },
  },
  getConversions: {
    method: 'GET',
    path: '/stats/conversions',
    summary: 'Read what clicks have led to',
    description:
      'From clicks of people to first opens of apps, later opens and tracked events, with the sums of their values: in all, by name of the event, by campaign, link, resource type and item. An event counts on the day on which it happened, for the link and the campaign, or the item, of the click that it names, else of what its installation came from, however long ago that was. Days are answered for as long as their clicks, opens, events and installations are all kept. What belongs to no link, as an item of a template, stands under null among `links` and `campaigns`; with a filter by `resource_type` or `item` those are empty. An item belongs to no link and has no campaign, so that filters of both kinds let nothing through. Opens and events that a release before this one has stored count for no item.',
    scopes: ['analytics:read'],
    query: conversionsQuerySchema,
    response: { status: 200, description: 'What clicks have led to', schema: conversionsSchema },
  },
} as const satisfies Record<string, UntaggedRoute>;
