import ipaddr from 'ipaddr.js';
import t from 'tap';
import { copyAddress, isV4Text, keepNetwork, networkOf, readAddress, readAddressText, socketAddress } from '../../../shared/net/address.js';
import fc from '../../support/properties.js';

/** The address in hex, or null. The target is filled first, so that bytes that are not written show. */
function parsed(text: string): string | null {
  const source = Buffer.from(`<${text}>`);
  const target = new Uint8Array(18).fill(0xaa);
  const found = readAddress(source, 1, source.length - 1, target.subarray(1, 17));
  return found ? Buffer.from(target.subarray(1, 17)).toString('hex') : null;
}

const V4 = '00000000000000000000ffff';

t.test('addresses are read in the forms that proxies write', async (t) => {
  const table: [string, string | null][] = [
    ['192.0.2.1', `${V4}c0000201`],
    ['192.0.2.1:4711', `${V4}c0000201`],
    ['255.255.255.255', `${V4}ffffffff`],
    ['0.0.0.0', `${V4}00000000`],
    ['2001:db8:1:2:3:4:5:6', '20010db8000100020003000400050006'],
    ['2001:DB8:1:2::', '20010db8000100020000000000000000'],
    ['2001:db8::1', '20010db8000000000000000000000001'],
    ['[2001:db8::1]', '20010db8000000000000000000000001'],
    ['[2001:db8::1]:443', '20010db8000000000000000000000001'],
    ['fe80::1%eth0', 'fe800000000000000000000000000001'],
    ['::', '00000000000000000000000000000000'],
    ['::1', '00000000000000000000000000000001'],
    ['::ffff:192.0.2.1', `${V4}c0000201`],
    ['::ffff:c000:201', `${V4}c0000201`],
    ['64:ff9b::192.0.2.1', '0064ff9b0000000000000000c0000201'],
    ['', null],
    ['unknown', null],
    ['_hidden', null],
    ['1.2.3', null],
    ['1.2.3.4.5', null],
    ['1.2.3.256', null],
    ['01.2.3.4', null],
    ['1.2.3.4:', null],
    ['1.2.3.4:123456', null],
    ['1.2.3.4:12a', null],
    ['1:2:3:4:5:6:7', null],
    ['1:2:3:4:5:6:7:8:9', null],
    ['1:2:3:4:5:6:7::8', null],
    ['1::2::3', null],
    [':1:2:3:4:5:6:7', null],
    ['1:2:3:4:5:6:7:', null],
    ['12345::', null],
    ['::g', null],
    ['::1.2.3', null],
    ['[2001:db8::1', null],
    ['[2001:db8::1]x', null],
    ['[]', null],
  ];
  for (const [text, hex] of table) t.equal(parsed(text), hex, `"${text}"`);
});

t.test('every IPv6 address is read as by another parser', async () => {
  // `::192.0.2.1`, a deprecated form, is the same as `::c000:201`. The other parser takes it for `::ffff:192.0.2.1`.
  const written = fc.ipV6().filter((text) => !/^::\d+\.\d+/.test(text));
  const address = fc.oneof(
    written,
    fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => ipaddr.fromByteArray([...bytes]).toString()),
  );
  fc.assert(
    fc.property(address, (text) => {
      return parsed(text) === Buffer.from(ipaddr.IPv6.parse(text).toByteArray()).toString('hex');
    }),
    { numRuns: 2000 },
  );
});

t.test('every IPv4 address is read', async () => {
  fc.assert(fc.property(fc.ipV4(), (text) => parsed(text) === V4 + Buffer.from(text.split('.').map(Number)).toString('hex')));
});

t.test('a text is IPv4 exactly if the parser reads it and nothing else surrounds it', async () => {
  const near = fc.string({ unit: fc.constantFrom(...'0125.5.9: a'.split('')), maxLength: 16 });
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), near), (text) => isV4Text(text) === (/^[\d.]+$/.test(text) && parsed(text) !== null)),
    { numRuns: 5000 },
  );
});

t.test('no text makes the parser read or write out of bounds', async () => {
  const unit = fc.constantFrom(...'0123456789abcdef:.[]%x'.split(''));
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 50 }), (text) => {
      const source = Buffer.from(text);
      const target = new Uint8Array(18).fill(0xaa);
      readAddress(source, 0, source.length, target.subarray(1, 17));
      return target[0] === 0xaa && target[17] === 0xaa;
    }),
    { numRuns: 5000 },
  );
});

t.test('an address has the same form from a socket and from a proxy', async (t) => {
  for (const text of ['192.0.2.1', '2001:db8:1:2:3:4:5:6', '::ffff:192.0.2.1']) {
    const bytes = Uint8Array.from(ipaddr.parse(text).toByteArray());
    const target = new Uint8Array(16);
    copyAddress(bytes, 0, bytes.length, target);
    t.equal(Buffer.from(target).toString('hex'), parsed(text), text);
  }
});

t.test('the network of a client is a whole IPv4 address, or the first 64 bits of an IPv6 address', async (t) => {
  const hex = (text: string) => {
    const network = networkOf(text);
    return network === null ? null : Buffer.from(network).toString('hex');
  };
  t.equal(hex('192.0.2.1:4711'), `${V4}c0000201`);
  t.equal(hex('::ffff:192.0.2.1'), `${V4}c0000201`, 'both spellings of an address are one client');
  t.equal(hex('2001:db8:1:2:3:4:5:6'), '20010db8000100020000000000000000');
  t.equal(hex('[2001:db8:1:2:ffff::]:80'), hex('2001:db8:1:2::1'), 'a device that changes its address within its network stays one client');
  t.not(hex('2001:db8:1:3::1'), hex('2001:db8:1:2::1'));
  t.equal(hex('unknown'), null);
  const kept = Uint8Array.from({ length: 16 }, (_, index) => index);
  keepNetwork(kept);
  t.same([...kept], [0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 0, 0, 0, 0]);
});

t.test('a character with the same low byte as a digit is not read as that digit', async (t) => {
  const target = new Uint8Array(16);
  t.ok(readAddressText('192.0.2.1', target));
  // The low bytes of U+0131 and U+FF11 are those of "1".
  for (const text of ['\u0131.2.3.4', '\uff11.2.3.4', '1.2.3.4\u0000', '1'.repeat(5000), `${'0'.repeat(96)}1.2.3.4`])
    t.notOk(readAddressText(text, target), text.slice(0, 20));
});

t.test('a socket gives 4 bytes for IPv4 in either spelling, and 16 for IPv6', async (t) => {
  t.same([...socketAddress('203.0.113.7')], [203, 0, 113, 7]);
  t.same([...socketAddress('::ffff:203.0.113.7')], [203, 0, 113, 7]);
  t.equal(socketAddress('2001:db8::1').length, 16);
  t.equal(socketAddress('fe80::1%eth0').length, 16);
  t.equal(socketAddress('').length, 0);
});
