import t from 'tap';
import { startStack } from '../support/stack.js';
import { hostileAnswersLeaveNothing, hostileApis, startHostileApi } from './preview-scenarios.js';

t.test('hostile metadata APIs delay bots no longer than the timeout, and their answers leave no memory in use (promise P6)', async (t) => {
  const api = await startHostileApi(t);
  const stack = await startStack(t, { environment: { OUTBOUND_ALLOW: api.origin } });
  await hostileApis(t, stack, api, 40);
  await hostileAnswersLeaveNothing(t, api, 200);
});
