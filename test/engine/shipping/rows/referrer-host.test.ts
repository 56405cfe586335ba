import t from 'tap';
import { ReferrerHost } from '../../../../engine/shipping/rows/referrer-host.js';

t.test('the host of a referrer is given without scheme, user and port', async (t) => {
  const table: [string, string][] = [
    ['https://www.example.com/page?x=1', 'www.example.com'],
    ['https://user:secret@WWW.Example.com:8443/page', 'www.example.com'],
    ['http://example.com', 'example.com'],
    ['http://example.com?x', 'example.com'],
    ['http://example.com#x', 'example.com'],
    ['android-app://com.google.android.gm/', 'com.google.android.gm'],
    ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
    ['https://my_host/', 'my_host'],
    ['https://www.example.com./page', 'www.example.com'],
    ['https://user@Example.com.:8443/', 'example.com'],
    ['https://./', ''],
    ['', ''],
    ['example.com/page', ''],
    ['/page', ''],
    ['://example.com', ''],
    ['https:/example.com', ''],
    ['https://', ''],
    ['https://exa mple.com/', ''],
    ['https://b\u00fccher.example/', ''],
    ['https://[2001:db8::1]/', ''],
    [`https://${'a'.repeat(254)}/`, ''],
    [`https://${'a'.repeat(253)}/`, 'a'.repeat(253)],
  ];
  const host = new ReferrerHost();
  for (const [referrer, expected] of table) {
    const source = Buffer.from(`<${referrer}>`);
    host.read(source, 1, source.length - 1);
    t.equal(Buffer.from(host.bytes.subarray(0, host.length)).toString(), expected, referrer);
  }
});
