import t from 'tap';
import { Gate } from '../../../engine/preview/gate.js';

t.test('no more calls are under way than the share, and none while it is above a share that shrank', async (t) => {
  const gate = new Gate();
  t.equal(gate.isOpen(), false, 'without a share');
  gate.setShare(2);
  gate.enter();
  gate.enter();
  t.equal(gate.isOpen(), false);
  t.throws(() => gate.enter(), { name: 'InvariantError' });
  gate.setShare(1);
  gate.leave();
  t.equal(gate.isOpen(), false, 'one is under way and one is the share');
  gate.leave();
  t.equal(gate.isOpen(), true);
  t.throws(() => gate.leave(), { name: 'InvariantError' });
});
