import t from 'tap';
import { readTreeFile, sourceFiles } from '../support/source-tree.js';

/** State machines whose transitions are not asserted, each with the reason. */
const UNASSERTED: Readonly<Record<string, string>> = {
  'engine/database/adaptive-timeout.ts': 'two states, each of which may follow both',
  'engine/link-index/keeper.ts': 'every state may follow every other and itself',
  'shared/net/bounded-request.ts': 'a status of HTTP, no machine',
  'shared/sdk/event-queue.ts': "runs in customers' apps, which no fault of ours is to end",
};

const MEMBER = /^ {2}#(?:state|status|mode|phase|standing)\b/m;

t.test('a class that keeps a state asserts its transitions', async (t) => {
  const product = sourceFiles().filter((file) => /^(shared|engine|control-plane|deploy)\//.test(file));
  const machines = product.filter((file) => MEMBER.test(readTreeFile(file)));
  t.ok(machines.length > 15);
  const silent = machines.filter((file) => !readTreeFile(file).includes('assertTransition('));
  t.same(silent, Object.keys(UNASSERTED), 'call assertTransition of shared/base/transitions.ts where the state is set');
});

t.test('a state with asserted transitions is set in one place', async (t) => {
  for (const file of sourceFiles()) {
    const text = readTreeFile(file);
    if (file.startsWith('test/') || !text.includes('assertTransition(') || !MEMBER.test(text)) continue;
    const settings = [...text.matchAll(/this\.#(?:state|standing) = (?!\{ (?:mode|kind): '\w+', (?:lastHeardMs|opened))/g)];
    t.equal(settings.length, 1, file);
  }
});
