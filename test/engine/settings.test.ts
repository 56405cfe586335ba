import t from 'tap';
import { ENGINE_ROLES, engineSettings, profileOf, rolesInForce } from '../../engine/settings.js';
import { readSettings } from '../../shared/base/settings.js';

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

t.test('delays of retries are whole seconds of 30 days at most', async (t) => {
  const { webhookRetryDelays } = engineSettings;
  const read = (value: string) => readSettings({ webhookRetryDelays }, { WEBHOOK_RETRY_DELAYS: value }).webhookRetryDelays;
  t.same(read('0, 60,2592000'), [0, 60, 2_592_000]);
  t.equal(read('').length, 7, 'the default');
  for (const value of ['60,,300', '60,', ',', ' ', '1e3', '0x10', '1.5', '-1', '+1', '2592001', '99999999999999', 'two'])
    t.throws(() => read(value), { name: 'SettingError', message: /^WEBHOOK_RETRY_DELAYS is malformed: [^\n]+$/ }, value);
});

t.test('the name of a header with the visitor’s place is one that a header can have', async (t) => {
  const { countryHeader, regionHeader, cityHeader } = engineSettings;
  for (const setting of [countryHeader, regionHeader, cityHeader]) {
    const read = (value: string) => readSettings({ setting }, { [setting.name]: value }).setting;
    t.equal(read(''), '');
    t.equal(read('CloudFront-Viewer-Country'), 'cloudfront-viewer-country');
    t.equal(read("!#$%&'*+-.^_`|~0"), "!#$%&'*+-.^_`|~0");
    for (const value of ['CF-IPCountry:', 'CF IPCountry', ' CF-IPCountry', 'a,b', '"a"', 'Länd', 'a/b', 'a\n'])
      t.throws(() => read(value), { name: 'SettingError', message: new RegExp(`^${setting.name} is malformed: `) }, value);
  }
});
