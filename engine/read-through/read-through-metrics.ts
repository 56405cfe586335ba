import { counter, counters, gauge, type Metric } from '../processes/collected-metrics.js';
import type { ReadThroughStats } from './read-through.js';

export const READ_THROUGH_METRICS: readonly Metric<ReadThroughStats>[] = [
  counters('read_through_questions_total', 'Paths looked up in PostgreSQL, by result', 'answer', ({ found, missing, unavailable }) => ({
    found,
    missing,
    unavailable,
  })),
  counter(
    'read_through_statements_total',
    'Statements that looked up paths in PostgreSQL, several paths per statement',
    (s) => s.statements,
  ),
  counters(
    'read_through_visits_total',
    'Visitors of unknown paths who waited until the deadline, came when too many were waiting, or were answered from memory',
    'result',
    ({ late, refused, remembered }) => ({ late, refused, remembered }),
  ),
  gauge('read_through_connected', 'Whether PostgreSQL can be queried', (s) => (s.connection === 'ready' ? 1 : 0)),
  gauge('read_through_timeout_shortened', 'Whether PostgreSQL missed the deadline, so that visitors wait only briefly', (s) =>
    s.shortened ? 1 : 0,
  ),
];
