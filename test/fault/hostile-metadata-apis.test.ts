import t from 'tap';
import { startStack } from '../support/stack.js';
import { hostileAnswersLeaveNothing, hostileApis, startHostileApi } from './preview-scenarios.js';

t.test('hostile metadata APIs keep bots for no longer than they may, and leave nothing behind (promise P6)', async (t) => {
  const api = await startHostileApi(t);
  const stack = await startStack(t, { environment: { OUTBOUND_ALLOW: api.origin } });
  await hostileApis(t, stack, api, 40);
  await hostileAnswersLeaveNothing(t, api, 200);
});
