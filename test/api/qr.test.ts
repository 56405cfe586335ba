import { randomBytes } from 'node:crypto';
import { PNG } from 'pngjs';
import QRCode from 'qrcode';
import t from 'tap';
import { readQrPng, readQrVector, svgImage } from '../support/qr-reader.js';
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
    ['foreground=red', '/foreground'],
    ['foreground=fff', '/foreground'],
    ['foreground=ffe08a', '/foreground'],
    ['background=202020', '/background'],
    ['foreground=ffffff&background=000000', '/foreground'],
    ['dots=stars', '/dots'],
    ['margin=1', '/margin'],
    ['margin=17', '/margin'],
    ['error_correction=X', '/error_correction'],
    [`frame_text=${'x'.repeat(33)}`, '/frame_text'],
    ['frame_text=%D9%85%D8%B1%D8%AD%D8%A8%D8%A7', '/frame_text'],
    ['frame_text=a%0Ab', '/frame_text'],
    ['logo=iVBORw0KGgo', '/logo'],
  ] as const) {
    const { status, json } = await call(t, api.baseUrl, `GET /links/${link.id}/qr?${query}`, request);
    t.equal(status, 422);
    t.match(json.errors, [{ in: 'query', pointer }]);
  }
});

/** A square of one colour, as a PNG in base64. */
function square(side: number): string {
  const png = new PNG({ width: side, height: side });
  png.data.fill(Buffer.from([180, 40, 60, 255]));
  return PNG.sync.write(png).toString('base64');
}

/** A PNG whose pixels cannot be compressed. */
function noise(side: number): string {
  const png = new PNG({ width: side, height: side });
  png.data = randomBytes(png.data.length);
  return PNG.sync.write(png).toString('base64');
}

async function fileOf(line: string, key: string, body?: unknown): Promise<{ status: number; type: string | null; bytes: Buffer }> {
  const [method, path] = line.split(' ') as [string, string];
  const response = await fetch(`${api.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) };
}

t.test('colours, dots, margin, error correction and a frame are chosen in the query, and the code is read', async (t) => {
  const style = 'foreground=%230d3b66&background=faf0ca&dots=dots&margin=2&error_correction=Q&frame_text=Scan%20me';
  const svg = await fileOf(`GET /links/${link.id}/qr?${style}`, api.liveKey);
  t.equal(readQrVector(svgImage(svg.bytes.toString())), `${link.url}?qr=1`);
  t.match(svg.bytes.toString(), 'fill="#0d3b66"');
  const png = await fileOf(`GET /links/${link.id}/qr?${style}&format=png&size=600`, api.liveKey);
  t.equal(readQrPng(png.bytes), `${link.url}?qr=1`);
  const pdf = await fileOf(`GET /links/${link.id}/qr?${style}&format=pdf`, api.liveKey);
  t.equal(pdf.type, 'application/pdf');
  t.match(pdf.bytes.toString('latin1'), /^%PDF-1\.4/);
});

t.test('a logo comes in a body, and error correction is H then', async (t) => {
  const png = await fileOf(`POST /links/${link.id}/qr`, api.liveKey, { format: 'png', size: 512, logo: square(64) });
  t.same([png.status, png.type], [200, 'image/png']);
  t.equal(readQrPng(png.bytes), `${link.url}?qr=1`);
  const { modules } = QRCode.create(`${link.url}?qr=1`, { errorCorrectionLevel: 'H' });
  const svg = (await fileOf(`POST /links/${link.id}/qr`, api.liveKey, { logo: square(64) })).bytes.toString();
  t.match(svg, `viewBox="0 0 ${modules.size + 8} ${modules.size + 8}"`);
});

t.test('a logo that is no small PNG is refused, an SVG first of all', async (t) => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').toString('base64');
  for (const [body, pointer, detail] of [
    [{ logo: svg }, '/logo', /must be a PNG in base64/],
    [{ logo: 'data:image/png;base64,AAAA' }, '/logo', /must be base64/],
    [{ logo: square(513) }, '/logo', /between 1 and 512 pixels/],
    [{ logo: noise(160) }, '/logo', /at most/],
    [{ logo: square(64).slice(0, 120) }, '/logo', /damaged/],
    [{ logo: 7 }, '/logo', /string/],
    [{ logo: square(64), error_correction: 'L' }, '/error_correction', /must be H, or absent/],
  ] as const) {
    const { status, json } = await call(t, api.baseUrl, `POST /links/${link.id}/qr`, { ...request, body });
    t.equal(status, 422, pointer);
    t.match(json.errors, [{ in: 'body', pointer, detail }]);
  }
});

t.test('codes of links on a domain look as it says, unless they are asked for otherwise', async (t) => {
  await api.database.query({
    text: `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
           VALUES (new_id('dom_', now()), $1, 'codes.acme.org', 'verified', 'v', now(), now())`,
    values: [api.live.id],
  });
  const [domain] = (await call(t, api.baseUrl, 'GET /domains', request)).json.data;
  t.equal(domain.qr_style, null);
  const patch = (qr_style: unknown) => call(t, api.baseUrl, `PATCH /domains/${domain.id}`, { ...request, body: { qr_style } });
  const { json: own } = await call(t, api.baseUrl, 'POST /links', { ...request, body: { path: 'own', domain: 'codes.acme.org' } });
  const svg = async (of: { readonly id: string }, query = '') =>
    (await call(t, api.baseUrl, `GET /links/${of.id}/qr?${query}`, request)).text;
  const plain = await svg(own);

  const style = { foreground: '0D3B66', background: '#f4fbf7', dots: 'dots', margin: 2, error_correction: 'Q', frame_text: 'Scan me' };
  const stored = { ...style, foreground: '#0d3b66' };
  const { json: written } = await patch(style);
  t.same(written.qr_style, stored);
  t.same((await patch(Object.fromEntries(Object.entries(style).reverse()))).json, written, 'the order of members changes nothing');
  t.same((await call(t, api.baseUrl, `GET /domains/${domain.id}`, request)).json.qr_style, stored);
  t.match(
    (await call(t, api.baseUrl, `PATCH /domains/${domain.id}`, { ...request, body: { case_insensitive: true } })).json.qr_style,
    stored,
  );
  const asked = `foreground=0d3b66&background=f4fbf7&dots=dots&margin=2&error_correction=Q&frame_text=Scan%20me`;
  const styled = await svg(own);
  t.equal(styled, await svg(own, asked));
  t.not(styled, plain);
  t.match(await svg(own, 'foreground=7a0d2e'), /#7a0d2e/);
  const drawn = await call(t, api.baseUrl, `POST /links/${own.id}/qr`, { ...request, body: { format: 'svg' } });
  t.equal(drawn.text, styled, 'a code that is drawn by a body too');
  t.equal(await svg(link), await svg(link, 'foreground=000000'), 'a link on another host has none of it');

  t.equal((await patch({ foreground: '#555555', background: '#ffffff' })).status, 200);
  const faint = await call(t, api.baseUrl, `GET /links/${own.id}/qr?background=aaaaaa`, request);
  t.match(faint, { status: 422, json: { errors: [{ in: 'query', pointer: '/background', code: 'invalid_value' }] } });
  for (const [wrong, pointer] of [
    [{ foreground: '#ffe08a' }, '/qr_style/foreground'],
    [{ foreground: 'red' }, '/qr_style/foreground'],
    [{ background: '#202020' }, '/qr_style/background'],
    [{ frame_text: '\u0645\u0631\u062d\u0628\u0627' }, '/qr_style/frame_text'],
    [{ margin: 1 }, '/qr_style/margin'],
    [{ size: 256 }, '/qr_style/size'],
    [{ logo: 'iVBORw0KGgo' }, '/qr_style/logo'],
    ['dots', '/qr_style'],
  ] as const)
    t.match(await patch(wrong), { status: 422, json: { errors: [{ in: 'body', pointer }] } }, pointer);
  t.match((await call(t, api.baseUrl, `GET /domains/${domain.id}`, request)).json.qr_style, { foreground: '#555555' }, 'nothing changed');
  t.equal((await patch({})).json.qr_style, null);
  t.equal((await patch(null)).json.qr_style, null);
  t.equal(await svg(own), plain);
});

t.test('a link of another environment has no QR code here, with a logo or without', async (t) => {
  for (const [line, body] of [
    [`GET /links/${link.id}/qr`, undefined],
    [`POST /links/${link.id}/qr`, {}],
  ] as const)
    t.equal((await fileOf(line, api.testKey, body)).status, 404);
});
