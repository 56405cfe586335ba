import t from 'tap';
import { hasValidHost } from '../../../control-plane/http/host-header.js';

const isValid = (...hosts: readonly string[]) =>
  hasValidHost({ rawHeaders: ['accept', 'host', ...hosts.flatMap((host) => ['HoSt', host])], httpVersion: '1.1' });

t.test('a name, an address, a port and nothing are valid values', async (t) => {
  for (const host of [
    'a',
    'a.example:443',
    '127.0.0.1:80',
    '[::1]:8080',
    '[fe80::1]',
    'a_b.example',
    'caf%C3%A9.example',
    'a.example:',
    '',
  ])
    t.ok(isValid(host), host);
});

t.test('spaces, user names, paths and ports that are no numbers are not', async (t) => {
  for (const host of ['a b', 'user@a', 'a/b', 'a?b', 'a#b', 'a:b', '[::1', '::1', 'a\\b', 'a,b c']) t.notOk(isValid(host), host);
});

t.test('HTTP/1.1 requires exactly one, and HTTP/1.0 at most one', async (t) => {
  t.notOk(isValid());
  t.notOk(isValid('a', 'a'));
  const old = (rawHeaders: readonly string[]) => hasValidHost({ rawHeaders: [...rawHeaders], httpVersion: '1.0' });
  t.ok(old([]));
  t.ok(old(['host', 'a']));
  t.notOk(old(['host', 'a', 'Host', 'b']));
});
