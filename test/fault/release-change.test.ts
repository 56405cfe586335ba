import t from 'tap';
import { changesOfRelease } from './release-scenarios.js';

t.test('200,000 visits during changes of release, up and down, with PostgreSQL and without: none fails, no click is lost', (t) =>
  changesOfRelease(t, 200_000),
);
