import t from 'tap';
import { limitsHold } from './preview-scenarios.js';

t.test('calls for ten thousand items stay within the limits of their API while processes are killed (promise P2)', (t) =>
  limitsHold(t, { items: 10_000, forMs: 150_000, kills: 8, max_concurrency: 4, max_requests_per_minute: 300 }),
);
