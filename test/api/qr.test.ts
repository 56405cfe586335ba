import QRCode from 'qrcode';
import t from 'tap';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const request = { key: api.liveKey };
const { json: link } = await call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'poster' } });

t.test(
  'the image encodes the URL of the link with the mark of a QR code, as SVG unless asked otherwise, and its owner may keep it',
  async (t) => {
    const { modules } = QRCode.create(`${link.url}?qr=1`, { errorCorrectionLevel: 'M' });
    const svg = await call(t, api.baseUrl, `GET /links/${link.id}/qr`, request);
    t.equal(svg.headers.get('content-type'), 'image/svg+xml');
    t.equal(svg.headers.get('cache-control'), 'private, max-age=3600');
    t.equal(svg.headers.get('x-content-type-options'), 'nosniff');
    t.match(svg.text, `width="256" height="256" viewBox="0 0 ${modules.size + 8} ${modules.size + 8}"`);
    t.equal((await call(t, api.baseUrl, `GET /links/${link.id}/qr?format=svg&size=256`, request)).text, svg.text);
  },
);

t.test('a PNG has the size asked for', async (t) => {
  for (const size of [128, 2048]) {
    const response = await fetch(`${api.baseUrl}/links/${link.id}/qr?format=png&size=${size}`, {
      headers: { authorization: `Bearer ${api.liveKey}` },
    });
    t.equal(response.headers.get('content-type'), 'image/png');
    const bytes = Buffer.from(await response.arrayBuffer());
    t.equal(bytes.readUInt32BE(16), size);
    t.equal(Number(response.headers.get('content-length')), bytes.length);
  }
});

t.test('other forms and sizes are refused', async (t) => {
  for (const [query, pointer] of [
    ['format=gif', '/format'],
    ['size=127', '/size'],
    ['size=2049', '/size'],
    ['size=big', '/size'],
  ] as const) {
    const { status, json } = await call(t, api.baseUrl, `GET /links/${link.id}/qr?${query}`, request);
    t.equal(status, 422);
    t.match(json.errors, [{ in: 'query', pointer }]);
  }
});
