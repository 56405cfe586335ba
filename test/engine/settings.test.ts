import t from 'tap';
import { ENGINE_ROLES, profileOf, rolesInForce } from '../../engine/settings.js';

const HOST = { roles: ENGINE_ROLES, processes: 2, databasePoolUrl: '', queueDatabaseUrl: '' };

t.test('a host has the roles that ENGINE_ROLES gives it', async (t) => {
  t.same(rolesInForce(HOST), ['redirect', 'background', 'webhooks']);
  t.same(rolesInForce({ ...HOST, roles: ['redirect'] }), ['redirect']);
});

t.test(
  'the row of a host without a queue does not say that it delivers webhooks, so other hosts do not share limits with it',
  async (t) => {
    const withQueue = profileOf(HOST);
    const withoutQueue = profileOf({ ...HOST, queueDatabaseUrl: 'none' });
    t.same(withQueue.roles, ['redirect', 'background', 'webhooks']);
    t.same(withoutQueue.roles, ['redirect', 'background']);
    t.equal(withQueue.connections - withoutQueue.connections, 6);
  },
);
