import t from 'tap';
import { listenHost } from '../../../shared/net/listen-host.js';

t.test('an address on which to listen has no port', async (t) => {
  for (const host of ['127.0.0.1', '0.0.0.0', '::', '::1', 'fe80::1%eth0', 'localhost', 'api_1.internal', 'db.example.'])
    t.equal(listenHost(host), host);
  for (const host of ['localhost:3000', '127.0.0.1:80', '[::1]', '[::1]:80', 'http://localhost', 'a b', 'a..b', ''])
    t.throws(() => listenHost(host), { name: 'SettingError', message: /without a port/ }, host);
});
