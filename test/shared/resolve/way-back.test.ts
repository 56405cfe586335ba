import t from 'tap';
import { wayBack } from '../../../shared/resolve/way-back.js';

t.test('the open page leads back to the path on the link host, in the form in which aliases are looked up', async (t) => {
  const record = { link_host: 'Go.Shop.example', alias_hosts: ['go.shop.example', 'brand.example'] };
  t.equal(wayBack(record, 'sale'), 'go.shop.example/sale');
  t.equal(wayBack(record, 'p/a%20b'), 'go.shop.example/p/a%20b');
  t.equal(wayBack(record, "p/it's%2e"), "go.shop.example/p/it's.");
  t.equal(wayBack(record, ''), null, 'a long link has no path');
  t.equal(wayBack({ ...record, alias_hosts: ['brand.example'] }, 'sale'), null, 'there are no aliases on the link host');
});
