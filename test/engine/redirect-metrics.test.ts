import { Registry } from 'prom-client';
import t from 'tap';
import { registerRedirectMetrics } from '../../engine/redirect-metrics.js';

t.test('the metrics of store, read-through and spool are current at each reading', async (t) => {
  const registry = new Registry();
  let droppingReason = '';
  registerRedirectMetrics(registry, {
    config: () => ({ generation: null, indexed: true, unindexed: 4, damages: 2 }),
    readThrough: () => ({
      connection: 'ready',
      shortened: true,
      asked: 7,
      statements: 2,
      found: 1,
      missing: 2,
      unavailable: 3,
      late: 4,
      refused: 5,
      remembered: 6,
    }),
    spool: () => ({
      mode: 'appended',
      fallback_reason: 'no mmap',
      clicks_stored: 1,
      clicks_dropped_bound: 0,
      clicks_dropped_disk: 0,
      segments_begun: 1,
      dropping_reason: droppingReason,
    }),
    previews: () => ({ client: { state: 'open', asks: 8 }, items: { items: 9 }, answers: { open: true, damages: 3 } }),
  });
  t.match(await registry.metrics(), 'click_spool_dropping 0\n');
  droppingReason = 'the folder is full';
  const text = await registry.metrics();
  for (const line of [
    'read_through_questions_total{answer="found"} 1',
    'read_through_statements_total 2',
    'read_through_visits_total{result="refused"} 5',
    'read_through_timeout_shortened 1',
    'read_through_connected 1',
    'config_store_damages_total 2',
    'config_store_open 0',
    'link_index_mapped 1',
    'link_index_lookups_missed_total 4',
    'click_spool_mapped 0',
    'click_spool_dropping 1',
    'preview_client_connected 1',
    'preview_client_requests_under_way 8',
    'preview_items_known 9',
    'answer_store_damages_total 3',
  ])
    t.match(text, `${line}\n`);
});
