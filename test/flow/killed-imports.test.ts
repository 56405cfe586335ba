import t from 'tap';
import { interruptedInFirstBatch, killedBeforeClicks, killedInSecondBatch } from '../fault/import-scenarios.js';
import { LINK_SOURCES } from '../support/link-sources.js';

// The short form of test/fault/killed-imports.test.ts.
for (const source of LINK_SOURCES)
  t.test(`an import from ${source.name} that is killed, resumed and repeated makes each link exactly once`, (t) =>
    killedInSecondBatch(t, source, 1_200),
  );

t.test('disabled links are disabled from their creation on, so that a killed import leaves none of them active', killedBeforeClicks);

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  t.test(`an import that gets ${signal} finishes and reports the batches under way, and can be resumed`, (t) =>
    interruptedInFirstBatch(t, signal),
  );
