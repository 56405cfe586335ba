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

t.test('a call is counted for the API that was asked, also if the configuration is gone when its answer would be used', async (t) => {
  const counts: string[] = [];
  const ended = new Promise<unknown>((resolve) => {
    const wait = (_api: unknown, _id: string, _ms: number, { waiter }: { waiter: (outcome: object) => boolean }) => {
      queueMicrotask(() => waiter({ kind: 'again', called: true }));
      return { leave: () => undefined };
    };
    const figures = { count: (type: string, name: string) => counts.push(`${type} ${name}`) };
    const items = { wait, figures } as unknown as ItemAnswers;
    const waiting = new CardWait({ items, api: () => null, itemId: 'i1', waitMs: 1000, onOutcome: resolve });
    waiting.begin(api);
  });
  t.same(await ended, { kind: 'none' });
  t.same(counts, ['rt_1 previews_called']);
});

t.test('a wait begins only once, and not after it has ended', async (t) => {
  const wait = setUp();
  t.ok(wait.begin(api));
  t.throws(() => wait.begin(api), new InvariantError("a preview bot's wait cannot go from 'asking' to 'asking'"));
  wait.leave(false);
  t.throws(() => wait.begin(api), new InvariantError("a preview bot's wait cannot go from 'over' to 'asking'"));
});
