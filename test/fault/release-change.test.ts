import t from 'tap';
import { changesOfRelease } from './release-scenarios.js';

t.test('upgrades and downgrades, with and without PostgreSQL, fail none of 200,000 visits and lose no click', (t) =>
  changesOfRelease(t, 200_000),
);
