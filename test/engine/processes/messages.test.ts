import t from 'tap';
import { CHILD_ENVIRONMENT, MESSAGES_VERSION, supervisorSpeaksOurVersion } from '../../../engine/processes/messages.js';

t.test('a child recognises whether its supervisor uses the same version of the messages', async (t) => {
  t.ok(supervisorSpeaksOurVersion({ [CHILD_ENVIRONMENT.messagesVersion]: String(MESSAGES_VERSION) }));
  t.notOk(supervisorSpeaksOurVersion({ [CHILD_ENVIRONMENT.messagesVersion]: String(MESSAGES_VERSION + 1) }));
});
