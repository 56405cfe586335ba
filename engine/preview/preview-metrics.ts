import { counter, gauge, type Metric } from '../processes/collected-metrics.js';
import type { AnswerReader } from '../store/answer-store.js';
import type { ItemAnswers } from './item-answers.js';
import type { PreviewClient } from './preview-client.js';
import type { PreviewsStats } from './previews.js';

/** Of the process that calls metadata APIs. */
export const PREVIEW_METRICS: readonly Metric<PreviewsStats>[] = [
  gauge('preview_calls_under_way', 'Calls to metadata APIs under way', (s) => s.calls_under_way),
  gauge('preview_items_waiting', 'Items that are being fetched', (s) => s.fetches),
  gauge('preview_breakers_open', 'Metadata APIs with an open circuit breaker', (s) => s.breakers_open),
  gauge('preview_engines', 'Engines among which the limits of APIs are shared', (s) => s.engines),
  counter('preview_shared_answers_found_total', 'Answers found in the database that engines share', (s) => s.shared.found),
  counter('preview_shared_answers_unread_total', 'Queries that the database did not answer in time', (s) => s.shared.unread),
  gauge('preview_answers_waiting', 'Answers that wait to be written', (s) => s.write_behind.waiting),
  counter('preview_answers_dropped_total', 'Answers that were not written', (s) => s.write_behind.dropped),
  counter('preview_heartbeat_failures_total', 'Rounds of writing that failed', (s) => s.heartbeat.failures + s.write_behind.failures),
  counter('preview_stores_thrown_away_total', 'Number of times the store of answers was recreated', (s) => s.stores_thrown_away),
];

/** What a redirect process uses for previews. */
export interface PreviewSources {
  readonly client: ReturnType<PreviewClient['stats']>;
  readonly items: ReturnType<ItemAnswers['stats']>;
  readonly answers: ReturnType<AnswerReader['stats']>;
}

/** Of a redirect process. */
export const PREVIEW_CLIENT_METRICS: readonly Metric<PreviewSources>[] = [
  gauge('preview_client_connected', 'Whether the process that calls metadata APIs can be reached', ({ client }) =>
    client.state === 'open' ? 1 : 0,
  ),
  gauge('preview_client_requests_under_way', 'Requests that are not answered yet', ({ client }) => client.asks),
  gauge('preview_items_known', 'Items whose answer is in memory', ({ items }) => items.items),
  counter('answer_store_damages_total', 'Answers or pages of their store that could not be read', ({ answers }) => answers.damages),
];
