import t from 'tap';
import { farRegion } from '../fault/far-region.js';

// The short form of test/fault/far-region.test.ts.
t.test('over a slow, lossy line a new link works at its first visit, hosts share cards, and clicks are stored', (t) =>
  farRegion(t, { links: 3, items: 3, clicks: 2_000, clicksPerSecondMin: null }),
);
