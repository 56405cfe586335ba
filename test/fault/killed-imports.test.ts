import t from 'tap';
import { LINK_SOURCES } from '../support/link-sources.js';
import { killedAtRandom } from './import-scenarios.js';

/** The sources to test, separated by commas; all of them if it is not set. */
const wanted = process.env.IMPORT_SOURCES?.split(',');

for (const source of LINK_SOURCES.filter(({ name }) => wanted?.includes(name) ?? true))
  t.test(`an import of 50,000 links from ${source.name} that is killed three times makes each link exactly once`, (t) =>
    killedAtRandom(t, source, 50_000, 3),
  );
