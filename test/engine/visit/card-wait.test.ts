import t from 'tap';
import type { ItemAnswers } from '../../../engine/preview/item-answers.js';
import { CardWait } from '../../../engine/visit/card-wait.js';
import { InvariantError } from '../../../shared/base/invariant.js';
import type { MetadataApiRecord } from '../../../shared/records/records.js';

function setUp() {
  const items = { wait: () => ({ leave: () => undefined }) } as unknown as ItemAnswers;
  const wait = new CardWait({ items, api: () => null, itemId: 'i1', waitMs: 100, onOutcome: () => undefined });
  return wait;
}

const api = { resource_type_id: 'rt_1', generation: 1 } as MetadataApiRecord;

t.test('a wait begins only once, and not after it has ended', async (t) => {
  const wait = setUp();
  t.ok(wait.begin(api));
  t.throws(() => wait.begin(api), new InvariantError("a preview bot's wait cannot go from 'asking' to 'asking'"));
  wait.leave(false);
  t.throws(() => wait.begin(api), new InvariantError("a preview bot's wait cannot go from 'over' to 'asking'"));
});
