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
      'Clicks of all links and items, over time and by where they came from, counted up to `as_of`, which is usually a second ago. Days are those of the project’s time zone, also when clocks change. Lists are sorted by clicks by people.',
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
      'Clicks of any days that the click log keeps, with filters that can be combined: `?country=DE&platform=ios&breakdown=link`. An empty filter, `?campaign=`, selects clicks without a value. Figures of the last 30 days without a filter or with one by `platform`, `country`, `referrer_host`, `resource_type`, `link` or `campaign` come from stored sums, unless they need hours. Everything else is counted: days that are over, of the last 30, from compact copies of their clicks, and other days from the log, which takes longer the more clicks those days have. If that could take more than 5 seconds, the call is refused (422), and the error names the first day that you can ask for. If clicks are in ClickHouse, no number of days is refused: a call may take 25 seconds (then 503). Of the calls that take more than 5 seconds, one server runs at most two per environment (429) and four in all (503) at once.',
    scopes: ['analytics:read'],
    query: clicksQuerySchema,
    response: { status: 200, description: 'The clicks that match the filters', schema: clicksAnswerSchema },
  },
  streamClicks: {
    method: 'GET',
    path: '/clicks/stream',
    summary: 'Follow the clicks of the environment',
    description:
      'Server-sent events: every click of the environment, including those of bots, within a second or two after it is stored. A client that sends the id of its last event as `Last-Event-ID`, as `EventSource` does, gets the clicks since then, up to 50 minutes back, each at least once. After an interruption a few clicks may come twice: deduplicate on their `id`. Clicks come in the order in which they were stored, which differs a little from the order of `occurred_at`. A stream ends after 15 minutes at most; the client then reconnects with its last id. A key may have 10 streams open at once on one server (429), and a server 100 in all (503).',
    scopes: ['analytics:read'],
    query: clickStreamQuerySchema,
    response: {
      status: 200,
      description: 'Clicks as they are stored',
      events:
        "`click`: its `data` is a `Click` as JSON.\n\n`reset`: clicks between the client's last id and now may be missing, because the id is too old, or another database server has taken over since.\n\n`end`: the server ends the stream; `reason` in its `data` is `max_age`, `too_slow` (the client did not read what it was sent within 5 seconds), `revoked`, `shutdown` or `unavailable`.\n\nBlocks without data carry an id from which the client can continue. A comment comes at least every 15 seconds.",
    },
  },
  getConversions: {
    method: 'GET',
    path: '/stats/conversions',
    summary: 'Read what clicks have led to',
    description:
      'From clicks by people to first opens of apps, later opens and tracked events, with the sums of their values: in all, and by event name, campaign, link, resource type and item. An event counts on the day on which it happened. It counts for the link and the campaign, or the item, of the click that it names, or else of what its installation came from, however long ago that was. A day can be queried as long as its clicks, opens, events and installations are all kept. What belongs to no link, such as an item of a template, appears under null in `links` and `campaigns`. With a filter by `resource_type` or `item` those lists are empty. An item belongs to no link and has no campaign, so filters of both kinds together match nothing. Opens and events that were stored by earlier releases count for no item.',
    scopes: ['analytics:read'],
    query: conversionsQuerySchema,
    response: { status: 200, description: 'What clicks have led to', schema: conversionsSchema },
  },
} as const satisfies Record<string, UntaggedRoute>;
