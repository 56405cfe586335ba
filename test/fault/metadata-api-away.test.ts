import t from 'tap';
import { apiAway } from './preview-scenarios.js';

t.test('a failing API gets five calls and then only probes; its cards are stale, then generic (promises P3, P4)', apiAway);
