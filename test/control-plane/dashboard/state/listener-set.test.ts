import t from 'tap';
import { listenerSet } from '../../../../control-plane/dashboard/state/listener-set.js';

t.test('each listener is called for every change until it unsubscribes', async (t) => {
  const { subscribe, tell } = listenerSet();
  const heard: string[] = [];
  const leave = subscribe(() => heard.push('a'));
  subscribe(() => heard.push('b'));
  tell();
  leave();
  tell();
  t.strictSame(heard, ['a', 'b', 'b']);
});
