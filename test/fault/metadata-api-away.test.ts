import t from 'tap';
import { apiAway } from './preview-scenarios.js';

t.test('an API that is away gets five calls and a probe for each interval; its cards are stale, then generic (promises P3, P4)', apiAway);
