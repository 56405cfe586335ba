import t from 'tap';
import { LINK_SOURCES } from '../support/link-sources.js';
import { killedAtRandom } from './import-scenarios.js';

/** The sources to test, separated by commas; all of them if it is not set. */
const wanted = process.env.IMPORT_SOURCES?.split(',');

for (const source of LINK_SOURCES.filter(({ name }) => wanted?.includes(name) ?? true))
  t.test(`50,000 links of ${source.name}: an import killed again and again loses none and doubles none`, (t) =>
    killedAtRandom(t, source, 50_000, 3),
  );
