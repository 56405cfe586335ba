import Type from 'typebox';
import { INVALIDATED_IDS_MAX } from '../../base/limits.js';
import { closedObject, count, id, nullable, oneOf, plainText, text, timestamp } from './fields.js';
import { itemIdSchema, metadataCallFields } from './metadata-api.js';
import { statsPeriod } from './stats.js';
import { URL_TEST_RESULTS, urlTestSchema } from './url-template.js';

export const resourceInvalidateSchema = closedObject(
  {
    resource_type: plainText('Key of the resource type', 1, 64),
    ids: Type.Array(itemIdSchema, {
      minItems: 1,
      maxItems: INVALIDATED_IDS_MAX,
      description: 'Ids of items. An id that appears twice counts once.',
      examples: [['42', '43']],
    }),
  },
  { description: 'Items whose cached answers to clear' },
);

export const resourceInvalidateResultSchema = Type.Object(
  {
    resource_type: text('Key of the resource type', { examples: ['product'] }),
    requested: count('Ids sent'),
    removed: count('Ids whose cached answer was removed'),
  },
  { description: 'What was cleared' },
);

const cardText = (description: string) => nullable(text(description));

export const previewSchema = closedObject({ path: urlTestSchema.properties.path }, { description: 'A shared URL or path' });

export const previewResultSchema = Type.Object(
  {
    result: oneOf(URL_TEST_RESULTS, 'Whether the path leads to an item'),
    resource: nullable(
      Type.Object(
        {
          resource_type: text('Key of the resource type'),
          id: text('The item, decoded from the URL'),
          template_id: id('tpl_', 'Id of the template'),
          deep_link_path: text("In-app route: the one from the API, or else the template's"),
          data: nullable(Type.Object({}, { additionalProperties: true, description: 'Custom JSON delivered to the app' })),
          resource_status: nullable(text('State of the item, as the API calls it')),
        },
        { description: 'The item; null unless it is a match' },
      ),
    ),
    metadata_api: oneOf(['active', 'disabled', 'none'], 'State of the configuration; `none` if there is no configuration or no item'),
    fetch: nullable(
      Type.Object(metadataCallFields, {
        description: 'The result of the call; null if there is nothing to call, or if the destination of the item is blocked',
      }),
    ),
    cache: Type.Object(
      {
        state: oneOf(
          ['none', 'fresh', 'stale', 'missing'],
          '`stale`: past its TTL, but still shown while the API fails. `missing`: the cache says that there is no such item.',
        ),
        fetched_at: nullable(timestamp('When the API gave the answer')),
        expires_at: nullable(timestamp('When its TTL ends')),
      },
      { description: 'What the shared cache contained at the time of the call' },
    ),
    card: Type.Object(
      {
        kind: oneOf(
          ['item', 'unavailable', 'generic'],
          '`unavailable`: the API says that the item is not available. `generic`: nothing is known about the item.',
        ),
        title: cardText('Title'),
        description: cardText('Description'),
        image_url: cardText('Image'),
        large_image: Type.Boolean({ description: 'Whether the image is shown large' }),
      },
      { description: 'The card a preview bot would see, unless it is redirected or the destination of the item is blocked' },
    ),
    redirect_url: nullable(
      text(
        'Where a preview bot is redirected instead: the web destination of an item whose type has no active metadata API. The card of that page is then shown',
      ),
    ),
    detail: text('Why the path did or did not resolve, and where the card comes from'),
  },
  { description: 'A preview' },
);
export type PreviewResult = Type.Static<typeof previewResultSchema>;

export const LATENCY_BUCKETS = ['lt_100', 'lt_300', 'lt_1000', 'ge_1000'] as const;
export type LatencyBucket = (typeof LATENCY_BUCKETS)[number];

const previewCounts = Type.Object(
  {
    served: count('Previews built for bots and social apps'),
    from_memory: count('Answered from the memory of a redirect process'),
    from_database: count('Answered from the shared cache'),
    from_negative_cache: count('Answered from a remembered item-not-found'),
    stale: count('Answered with an expired copy while the API was refreshed or failing'),
    fallback: count('Answered with the generic card'),
    redirected: count('Redirected to the web destination, as the type has no active metadata API'),
    cache_hit_rate: nullable(
      Type.Number({ minimum: 0, maximum: 1, description: 'Share of previews that did not call the API; null without previews' }),
    ),
  },
  { description: 'How previews were answered' },
);

const callCounts = Type.Object(
  {
    calls: count('Calls to the metadata API'),
    ok: count('Calls that returned an item'),
    missing: count('Calls that said the item does not exist'),
    errors: count('Failed calls (HTTP error or network)'),
    timeouts: count('Calls that ran out of time'),
    invalid: count('Calls whose answer could not be used'),
    breaker_open: count('Calls skipped because the circuit breaker was open'),
    throttled: count('Calls skipped by the concurrency or per-minute limit'),
    error_rate: nullable(
      Type.Number({ minimum: 0, maximum: 1, description: 'Share of calls that failed or ran out of time; null without calls' }),
    ),
    avg_latency_ms: nullable(Type.Integer({ minimum: 0, description: 'Mean time of a call; null without calls' })),
    p95_bucket: nullable(oneOf(LATENCY_BUCKETS, 'Range, in milliseconds, that contains the 95th percentile; null without calls')),
  },
  { description: 'How the metadata API behaved' },
);

export const resourceStatsSchema = Type.Object(
  {
    range: oneOf(['7d', '30d'], 'The range asked for'),
    ...statsPeriod,
    types: Type.Array(
      Type.Object({
        resource_type: text('Key of the type', { examples: ['product'] }),
        clicks: count('Clicks by people on items of the type'),
        top_items: Type.Array(Type.Object({ id: text('The item, as it appeared in the URL'), clicks: count('Clicks by people') }), {
          description: 'The 10 items with most clicks',
        }),
        previews: previewCounts,
        metadata_api: callCounts,
      }),
      { description: 'Every active type, and archived types that have figures in the range; most clicks first' },
    ),
  },
  { description: 'Clicks, previews and metadata API calls by resource type' },
);
export type ResourceStats = Type.Static<typeof resourceStatsSchema>;
export type ResourceTypeStats = ResourceStats['types'][number];
