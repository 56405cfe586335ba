import t from 'tap';
import { assignHosts, normaliseHost } from '../../../shared/resolve/hosts.js';

const owner = (number: number, link_host: string, open_host: string) => ({ number, link_host, open_host });

t.test('host names are compared without case, port and final dot', async (t) => {
  for (const [text, host] of [
    ['Go.Example.COM', 'go.example.com'],
    ['go.example.com:8080', 'go.example.com'],
    ['go.example.com.', 'go.example.com'],
    ['[2001:DB8::1]:80', '[2001:db8::1]'],
    ['[2001:db8::1]', '[2001:db8::1]'],
    ['go.example.com:', 'go.example.com'],
    ['go.example.com:80a', 'go.example.com:80a'],
  ] as const)
    t.equal(normaliseHost(text), host);
});

t.test('a name goes to its first owner: operators before customers, link hosts before open hosts', async (t) => {
  const hosts = assignHosts(
    [owner(1, 'a.org', 'b.org'), owner(2, 'B.org', 'c.org'), owner(3, 'd.org', 'a.org')],
    [
      { environment_number: 1, hostname: 'c.org' },
      { environment_number: 3, hostname: 'x.org' },
      { environment_number: 1, hostname: 'x.org' },
      { environment_number: 7, hostname: 'y.org' },
    ],
  );
  t.same(
    Array.from(hosts, ([host, { owner, role }]) => [host, owner.number, role]),
    [
      ['a.org', 1, 'link'],
      ['b.org', 2, 'link'],
      ['d.org', 3, 'link'],
      ['c.org', 2, 'open'],
      ['x.org', 3, 'link'],
    ],
  );
});
