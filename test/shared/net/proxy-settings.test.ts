import t from 'tap';
import { readSettings } from '../../../shared/base/settings.js';
import { proxySettings } from '../../../shared/net/proxy-settings.js';

t.test('no proxy is trusted unless the operator names one', async (t) => {
  t.same(readSettings(proxySettings, {}), { trustedProxyHops: 0, trustedProxies: null });
  t.equal(readSettings(proxySettings, { TRUSTED_PROXIES: ' , ' }).trustedProxies, null);
});

t.test('proxies are addresses and CIDRs, of IPv4 and IPv6', async (t) => {
  const { trustedProxies } = readSettings(proxySettings, { TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1,2001:db8::/32' });
  t.ok(trustedProxies?.has(new Uint8Array([192, 0, 2, 1])));
  t.notOk(trustedProxies?.has(new Uint8Array([192, 0, 2, 2])));
});

t.test('a malformed proxy stops the start and is named', async (t) => {
  for (const culprit of ['10.0.0.0/40', 'proxy.example', '2001:db8::/32/1'])
    t.throws(() => readSettings(proxySettings, { TRUSTED_PROXIES: `10.0.0.1,${culprit}` }), {
      name: 'SettingError',
      message: new RegExp(`^TRUSTED_PROXIES is malformed: .*"${culprit}"`),
    });
  const many = Array.from({ length: 1001 }, () => '10.0.0.1').join(',');
  t.throws(() => readSettings(proxySettings, { TRUSTED_PROXIES: many }), { message: /1000 addresses and CIDRs at most/ });
});
