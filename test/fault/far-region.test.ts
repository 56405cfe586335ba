import t from 'tap';
import { farRegion } from './far-region.js';

t.test('over a lossy line of 150 ms a new link works at its first visit, hosts share cards, and 50,000 clicks a second are stored', (t) =>
  farRegion(t, { links: 100, items: 50, clicks: 1_000_000, clicksPerSecondMin: 50_000 }),
);
