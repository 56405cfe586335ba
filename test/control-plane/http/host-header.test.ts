import t from 'tap';
import { hasValidHost } from '../../../control-plane/http/host-header.js';

const isValid = (...hosts: readonly string[]) =>
  hasValidHost({ rawHeaders: ['accept', 'host', ...hosts.flatMap((host) => ['HoSt', host])], httpVersion: '1.1' });

t.test('the value is a name or an address, perhaps with a port', async (t) => {
  for (const host of ['a', 'a.example:443', '[::1]:8080']) t.ok(isValid(host), host);
  for (const host of ['', 'a b', 'user@a', 'a/b', 'a:b', '[::1']) t.notOk(isValid(host), host);
});

t.test('HTTP/1.1 requires exactly one, and HTTP/1.0 at most one', async (t) => {
  t.notOk(isValid());
  t.notOk(isValid('a', 'a'));
  const old = (rawHeaders: readonly string[]) => hasValidHost({ rawHeaders: [...rawHeaders], httpVersion: '1.0' });
  t.ok(old([]));
  t.ok(old(['host', 'a']));
  t.notOk(old(['host', 'a', 'Host', 'b']));
});
