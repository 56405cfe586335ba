import t from 'tap';
import { systemScheduler } from '../../../shared/base/scheduler.js';

t.test('a scheduled task runs once, and a cancelled one never', async (t) => {
  const ran: string[] = [];
  const takeBack = systemScheduler(1, () => ran.push('taken back'));
  takeBack();
  const end = systemScheduler(1, () => ran.push('kept'));
  await new Promise<void>((resolve) => systemScheduler(5, resolve));
  end();
  t.strictSame(ran, ['kept']);
});
