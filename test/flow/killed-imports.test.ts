import t from 'tap';
import { interruptedInFirstBatch, killedBeforeClicks, killedInSecondBatch } from '../fault/import-scenarios.js';
import { LINK_SOURCES } from '../support/link-sources.js';

// The short form of test/fault/killed-imports.test.ts.
for (const source of LINK_SOURCES)
  t.test(`an import from ${source.name} that is killed and resumed, and run again, doubles nothing and loses nothing`, (t) =>
    killedInSecondBatch(t, source, 1_200),
  );

t.test('links that are switched off are made so: a killed import leaves none of them on', killedBeforeClicks);

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  t.test(`an import that gets ${signal} finishes the links under way, reports them, and is resumed`, (t) =>
    interruptedInFirstBatch(t, signal),
  );
