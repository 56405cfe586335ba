import type { Registry } from 'prom-client';
import type { ConfigReaderStats } from './config/config-reader.js';
import type { ItemAnswers } from './preview/item-answers.js';
import type { PreviewClient } from './preview/preview-client.js';
import { collectCounter, collectGauge } from './processes/collected-metrics.js';
import type { ReadThroughStats } from './read-through/read-through.js';
import type { ClickSpoolStats } from './spool/click-spool.js';
import type { AnswerReader } from './store/answer-store.js';

export interface RedirectFigureSources {
  readonly config: () => ConfigReaderStats;
  readonly readThrough: () => ReadThroughStats;
  readonly spool: () => ClickSpoolStats;
  readonly previewClient: () => ReturnType<PreviewClient['stats']>;
  readonly items: () => ReturnType<ItemAnswers['stats']>;
  readonly answers: () => ReturnType<AnswerReader['stats']>;
}

const ANSWERS = ['found', 'missing', 'unavailable'] as const;
const NOT_ASKED_OR_AWAITED = ['late', 'refused', 'remembered'] as const;

/** Metrics of a redirect process other than its visits: its store, its queries to PostgreSQL, its spool. */
export function registerRedirectMetrics(registry: Registry, sources: RedirectFigureSources): void {
  const answers = { name: 'read_through_questions_total', help: 'Paths looked up in PostgreSQL, by result', label: 'answer' };
  collectCounter(registry, answers, (set) => {
    const stats = sources.readThrough();
    for (const answer of ANSWERS) set(answer, stats[answer]);
  });
  const statements = {
    name: 'read_through_statements_total',
    help: 'Statements that looked up paths in PostgreSQL, several paths per statement',
  };
  collectCounter(registry, statements, (set) => set('', sources.readThrough().statements));
  const visits = {
    name: 'read_through_visits_total',
    help: 'Visitors of unknown paths who waited until the deadline, came when too many were waiting, or were answered from memory',
    label: 'result',
  };
  collectCounter(registry, visits, (set) => {
    const stats = sources.readThrough();
    for (const result of NOT_ASKED_OR_AWAITED) set(result, stats[result]);
  });
  const connected = { name: 'read_through_connected', help: 'Whether PostgreSQL can be queried' };
  collectGauge(registry, connected, () => (sources.readThrough().connection === 'ready' ? 1 : 0));
  const shortened = {
    name: 'read_through_timeout_shortened',
    help: 'Whether PostgreSQL missed the deadline, so that visitors wait only briefly',
  };
  collectGauge(registry, shortened, () => (sources.readThrough().shortened ? 1 : 0));
  const damages = { name: 'config_store_damages_total', help: 'Values or pages of the store that could not be read' };
  collectCounter(registry, damages, (set) => set('', sources.config().damages));
  const open = { name: 'config_store_open', help: 'Whether the process has a store to read' };
  collectGauge(registry, open, () => (sources.config().generation === null ? 0 : 1));
  const indexed = { name: 'link_index_mapped', help: 'Whether links are looked up in the mapped index before LMDB' };
  collectGauge(registry, indexed, () => (sources.config().indexed ? 1 : 0));
  const unindexed = {
    name: 'link_index_lookups_missed_total',
    help: 'Look-ups of links that LMDB had and the mapped index lacked; a few are normal just after links are created',
  };
  collectCounter(registry, unindexed, (set) => set('', sources.config().unindexed));
  const mapped = { name: 'click_spool_mapped', help: 'Whether clicks are stored through mapped memory' };
  collectGauge(registry, mapped, () => (sources.spool().mode === 'mapped' ? 1 : 0));
  const dropping = { name: 'click_spool_dropping', help: 'Whether clicks are being dropped at this moment' };
  collectGauge(registry, dropping, () => (sources.spool().dropping_reason === '' ? 0 : 1));
  registerPreviewMetrics(registry, sources);
}

function registerPreviewMetrics(registry: Registry, sources: RedirectFigureSources): void {
  const connected = { name: 'preview_client_connected', help: 'Whether the process that calls metadata APIs can be reached' };
  collectGauge(registry, connected, () => (sources.previewClient().state === 'open' ? 1 : 0));
  collectGauge(
    registry,
    { name: 'preview_client_requests_under_way', help: 'Requests that are not answered yet' },
    () => sources.previewClient().asks,
  );
  collectGauge(registry, { name: 'preview_items_known', help: 'Items whose answer is in memory' }, () => sources.items().items);
  const damages = { name: 'answer_store_damages_total', help: 'Answers or pages of their store that could not be read' };
  collectCounter(registry, damages, (set) => set('', sources.answers().damages));
}
