import t from 'tap';
import { systemLater } from '../../../shared/base/later.js';

t.test('what is due later runs once, and never where it was taken back', async (t) => {
  const ran: string[] = [];
  const takeBack = systemLater(1, () => ran.push('taken back'));
  takeBack();
  const end = systemLater(1, () => ran.push('kept'));
  await new Promise<void>((resolve) => systemLater(5, resolve));
  end();
  t.strictSame(ran, ['kept']);
});
