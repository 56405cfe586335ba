import t from 'tap';
import { isPublicAddress } from '../../../shared/net/public-address.js';
import { checkOutboundUrl, judgeHostname, judgeUrl, URL_REFUSAL_DETAILS, type UrlRefusal } from '../../../shared/net/public-host.js';
import fc from '../../support/properties.js';
import { REFUSED_URLS } from '../../support/refused-urls.js';

/** The first and the last address of every refused range, and the addresses just outside it. */
const ADDRESSES: readonly (readonly [address: string, isPublic: boolean])[] = [
  ['0.0.0.0', false],
  ['0.255.255.255', false],
  ['1.0.0.0', true],
  ['9.255.255.255', true],
  ['10.0.0.0', false],
  ['10.255.255.255', false],
  ['11.0.0.0', true],
  ['100.63.255.255', true],
  ['100.64.0.0', false],
  ['100.127.255.255', false],
  ['100.128.0.0', true],
  ['126.255.255.255', true],
  ['127.0.0.0', false],
  ['127.0.0.1', false],
  ['127.255.255.255', false],
  ['128.0.0.0', true],
  ['168.63.129.15', true],
  ['168.63.129.16', false],
  ['168.63.129.17', true],
  ['169.253.255.255', true],
  ['169.254.0.0', false],
  ['169.254.169.254', false],
  ['169.254.255.255', false],
  ['169.255.0.0', true],
  ['172.15.255.255', true],
  ['172.16.0.0', false],
  ['172.31.255.255', false],
  ['172.32.0.0', true],
  ['191.255.255.255', true],
  ['192.0.0.0', false],
  ['192.0.0.255', false],
  ['192.0.1.0', true],
  ['192.0.2.0', false],
  ['192.0.2.255', false],
  ['192.0.3.0', true],
  ['192.88.98.255', true],
  ['192.88.99.0', false],
  ['192.88.99.255', false],
  ['192.88.100.0', true],
  ['192.167.255.255', true],
  ['192.168.0.0', false],
  ['192.168.255.255', false],
  ['192.169.0.0', true],
  ['198.17.255.255', true],
  ['198.18.0.0', false],
  ['198.19.255.255', false],
  ['198.20.0.0', true],
  ['198.51.99.255', true],
  ['198.51.100.0', false],
  ['198.51.100.255', false],
  ['198.51.101.0', true],
  ['203.0.112.255', true],
  ['203.0.113.0', false],
  ['203.0.113.255', false],
  ['203.0.114.0', true],
  ['223.255.255.255', true],
  ['224.0.0.0', false],
  ['239.255.255.255', false],
  ['240.0.0.0', false],
  ['255.255.255.255', false],
  ['8.8.8.8', true],
  ['::', false],
  ['::1', false],
  ['::7f00:1', false],
  ['::127.0.0.1', false],
  ['::10.0.0.1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:7f00:1', false],
  ['0:0:0:0:0:ffff:a9fe:a9fe', false],
  ['::ffff:8.8.8.8', true],
  ['::ffff:0:127.0.0.1', false],
  ['64:ff9b::127.0.0.1', false],
  ['64:ff9b::a00:1', false],
  ['64:ff9b::8.8.8.8', true],
  ['64:ff9b:1::1', false],
  ['100::1', false],
  ['1fff:ffff::', false],
  ['2000::', true],
  ['2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff', true],
  ['2001::', false],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', false],
  ['2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['2001:200::', true],
  ['2001:db7:ffff::', true],
  ['2001:db8::', false],
  ['2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['2001:db9::', true],
  ['2002::', false],
  ['2002:7f00:1::', false],
  ['2002:ffff::', false],
  ['2003::', true],
  ['2606:4700:4700::1111', true],
  ['2606:4700::5efe:a00:1', false],
  ['2606:4700::200:5efe:127.0.0.1', false],
  ['2606:4700::5efe:808:808', true],
  ['3fff::', false],
  ['3fff:fff::', false],
  ['3fff:1000::', true],
  ['4000::', false],
  ['5f00::1', false],
  ['fc00::1', false],
  ['fdff:ffff::1', false],
  ['fe80::1', false],
  ['fe80::1%eth0', false],
  ['2606:4700::1111%eth0', false],
  ['fec0::1', false],
  ['ff02::1', false],
  ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['', false],
  ['localhost', false],
  ['127.1', false],
  ['0x7f.0.0.1', false],
  ['2130706433', false],
];

t.test('only public unicast addresses may be called', async (t) => {
  for (const [address, isPublic] of ADDRESSES) t.equal(isPublicAddress(address), isPublic, address);
});

t.test('an address in a refused range is refused in every form that embeds it', async (t) => {
  const octet = fc.integer({ min: 0, max: 255 });
  const refused = fc.oneof(
    fc.tuple(fc.constantFrom(0, 10, 127), octet, octet, octet),
    fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
    fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
    fc.tuple(fc.integer({ min: 224, max: 255 }), octet, octet, octet),
  );
  const property = fc.property(refused, fc.constantFrom('', '::', '::ffff:', '::ffff:0:', '64:ff9b::', '2a00::5efe:'), (octets, prefix) => {
    return !isPublicAddress(prefix + octets.join('.'));
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 2000 }));
});

const ACCEPTED = [
  'https://example.com',
  'https://example.com/hooks?x=1#part',
  'https://EXAMPLE.com:8443/hooks',
  'https://a.b.c.example.co.uk/',
  'https://my_hook.example.com/',
  'https://münchen.de/',
  'https://xn--mnchen-3ya.de/',
  'https://x.github.io/',
  'https://hooks.example.com/a%20b/@c',
  'https://127-0-0-1.example.com/',
  'https://hooks.acme.example/',
];

t.test('a URL that is not https to a public host name is refused, in any spelling', async (t) => {
  for (const [url, reason] of REFUSED_URLS) {
    const judged = judgeUrl(url, []);
    t.match(judged, { verdict: 'refused', reason }, JSON.stringify(url));
    t.ok(URL_REFUSAL_DETAILS[reason]);
  }
  for (const url of ACCEPTED) t.match(judgeUrl(url, []), { verdict: 'public' }, url);
  t.ok(ADDRESSES.filter(([, isPublic]) => !isPublic).length + REFUSED_URLS.length >= 120);
});

t.test('no name is resolved for a URL that is refused by its text', async (t) => {
  let asked = 0;
  const resolver = async () => {
    asked++;
    return ['8.8.8.8'];
  };
  for (const [url, reason] of REFUSED_URLS) t.equal(await checkOutboundUrl(url, { allow: [], resolver }), reason, JSON.stringify(url));
  t.equal(asked, 0);
});

t.test('a name is refused if any of its addresses is not public', async (t) => {
  const answers: readonly (readonly [readonly string[], UrlRefusal | null])[] = [
    [['8.8.8.8'], null],
    [['8.8.8.8', '2606:4700::1111'], null],
    [['127.0.0.1'], 'private_address'],
    [['8.8.8.8', '127.0.0.1'], 'private_address'],
    [['8.8.8.8', '::1'], 'private_address'],
    [['10.0.0.1', '8.8.8.8'], 'private_address'],
    [['::ffff:10.0.0.1'], 'private_address'],
    [['8.8.8.8', 'nonsense'], 'private_address'],
  ];
  for (const [addresses, expected] of answers)
    t.equal(
      await checkOutboundUrl('https://hooks.example.com/', { allow: [], resolver: async () => addresses }),
      expected,
      addresses.join(),
    );
});

t.test('a URL whose name does not resolve yet is accepted', async (t) => {
  const failing = async () => {
    throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
  };
  t.equal(await checkOutboundUrl('https://hooks.example.com/', { allow: [], resolver: failing }), null);
  t.equal(await checkOutboundUrl('https://hooks.example.com/', { allow: [], resolver: async () => [] }), null);
  let aborted = false;
  const hanging = (_name: string, signal: AbortSignal) =>
    new Promise<readonly string[]>(() => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
    });
  t.equal(await checkOutboundUrl('https://hooks.example.com/', { allow: [], resolver: hanging, resolveDeadlineMs: 30 }), null);
  t.ok(aborted, 'resolving is given up');
});

t.test('only an origin that the operator allows is exempt', async (t) => {
  const allow = ['http://127.0.0.1:4000', 'https://localhost:4443'];
  t.match(judgeUrl('http://127.0.0.1:4000/hook', allow), { verdict: 'allowed' });
  t.match(judgeUrl('https://localhost:4443/hook', allow), { verdict: 'allowed' });
  t.equal(
    await checkOutboundUrl('http://127.0.0.1:4000/hook', { allow, resolver: async () => t.fail('no name is resolved') as never }),
    null,
  );
  for (const url of ['http://127.0.0.1:4001/', 'https://127.0.0.1:4000/', 'http://localhost:4443/', 'http://127.0.0.1.:4001/'])
    t.match(judgeUrl(url, allow), { verdict: 'refused' }, url);
  t.match(judgeUrl('http://user@127.0.0.1:4000/', allow), { verdict: 'refused', reason: 'credentials' });
});

t.test('any text can be judged, and no address or local name passes', async (t) => {
  const property = fc.property(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.ipV4().map((ip) => `https://${ip}/`),
      fc.ipV6().map((ip) => `https://[${ip}]/`),
    ),
    (text) => {
      const judged = judgeUrl(text, []);
      if (judged.verdict !== 'public') return judged.verdict === 'refused';
      return judged.url.protocol === 'https:' && judgeHostname(judged.url.hostname) === null && judged.url.hostname.includes('.');
    },
  );
  t.doesNotThrow(() => fc.assert(property, { numRuns: 2000 }));
});
