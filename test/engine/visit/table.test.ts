import t from 'tap';
import { hostEntry } from '../../../engine/visit/table.js';
import { normaliseHost } from '../../../shared/resolve/hosts.js';
import { environmentRecord, tableOf } from '../fixtures.js';

t.test('a host is found in any case, with a port and with a final dot', async (t) => {
  const table = tableOf({ environments: [environmentRecord({ link_host: 'Go.Shop.example' })] });
  for (const host of ['go.shop.example', 'GO.SHOP.EXAMPLE', 'go.shop.example:8080', 'Go.Shop.Example.:443'])
    t.equal(hostEntry(table, host)?.host, 'go.shop.example', host);
  for (const host of ['', 'shop.example', 'xgo.shop.example', 'go.shop.example.other.example', 'go.shop.example@other.example', '[::1]:80'])
    t.equal(hostEntry(table, host), undefined, host);
});

t.test('the colons of an IPv6 address are not taken for a port', async (t) => {
  t.equal(normaliseHost('[2001:DB8::1]:8080'), '[2001:db8::1]');
  t.equal(normaliseHost('[2001:db8::1]'), '[2001:db8::1]');
});
