import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { PNG } from 'pngjs';
import t from 'tap';
import { noteBlockedUrls } from '../../control-plane/blocking/block-settings.js';
import { importBlocklist } from '../../control-plane/blocklist/import.js';
import { DAMAGED, logoFault } from '../../control-plane/qr/logo.js';
import { ENVIRONMENT_RECORD_COLUMNS, type EnvironmentRow, environmentRecordFromRow } from '../../shared/feed/codec.js';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const patch = async (brand: unknown) =>
  call(t, api.baseUrl, 'PATCH /environment', { key: api.liveKey, body: { brand } as Record<string, unknown> });
const read = async (key = api.liveKey) => (await call(t, api.baseUrl, 'GET /environment', { key })).json;
const EMPTY = { name: null, color: null, logo: null, support_url: null };

function png(side: number): string {
  const image = new PNG({ width: side, height: side });
  image.data.fill(200);
  return PNG.sync.write(image).toString('base64');
}

/** A PNG with one byte for each pixel, which does not compress, and which becomes larger when it is written with four bytes for each. */
function greyNoise(side: number): string {
  const image = new PNG({ width: side, height: side });
  for (const [pixel, grey] of randomBytes(side * side).entries()) image.data.set([grey, grey, grey, 255], 4 * pixel);
  return PNG.sync.write(image, { colorType: 0 }).toString('base64');
}

/** The file with a comment in a chunk of its own, after the header. */
function commented(base64: string, text: string): string {
  const [file, chunk] = [Buffer.from(base64, 'base64'), Buffer.from(`tEXtComment\0${text}`)];
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(chunk.length - 4);
  sum.writeUInt32BE(crc32(chunk));
  return Buffer.concat([file.subarray(0, 33), length, chunk, sum, file.subarray(33)]).toString('base64');
}

async function record() {
  const { rows } = await api.database.query<EnvironmentRow>({
    text: `SELECT ${ENVIRONMENT_RECORD_COLUMNS} FROM environments JOIN projects ON projects.id = environments.project_id WHERE environments.id = $1`,
    values: [api.live.id],
  });
  return environmentRecordFromRow(rows[0] as EnvironmentRow);
}

t.test('a brand is changed member by member, stored in its normal form, and reaches the link hosts', async (t) => {
  t.equal((await record()).brand, null);
  const full = { name: 'Shop', color: '#0D3B66', logo: png(32), support_url: 'HTTPS://Shop.example/help' };
  const { json } = await patch(full);
  t.match(json.brand, { name: 'Shop', color: '#0d3b66', support_url: 'https://shop.example/help' });
  t.same((await read()).brand, json.brand);
  t.same((await record()).brand, json.brand);
  t.same((await read(api.testKey)).brand, EMPTY, 'the other environment has a brand of its own');
  const { json: some } = await patch({ name: null, color: '#ffcc00' });
  t.same(some.brand, { ...json.brand, name: null, color: '#ffcc00' });
  t.same((await patch({})).json, some, 'what changes nothing leaves updated_at alone');
  t.same((await patch(null)).json.brand, EMPTY);
  t.equal((await record()).brand, null);
});

t.test('nothing of the file is stored but its pixels', async (t) => {
  const text = 'somebody was here';
  const { json } = await patch({ logo: commented(png(8), text) });
  const stored = Buffer.from(json.brand.logo, 'base64');
  t.notOk(stored.includes(text));
  t.same(PNG.sync.read(stored).data, PNG.sync.read(Buffer.from(png(8), 'base64')).data);
  await patch(null);
});

t.test('every wrong member is named by its pointer, all at once, and nothing is stored', async (t) => {
  const refused = async (brand: unknown) => {
    const { status, json } = await patch(brand);
    t.equal(status, 422);
    return json.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`).sort();
  };
  t.same(await refused({ name: '', color: 'red', logo: 'not base64!', support_url: 'mailto:help@shop.example', icon: 'x' }), [
    '/brand/color invalid_format',
    '/brand/icon unknown_field',
    '/brand/logo invalid_format',
    '/brand/name too_short',
    '/brand/support_url scheme_not_allowed',
  ]);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString('base64');
  const damaged = Buffer.from(png(64), 'base64').subarray(0, 50).toString('base64');
  for (const logo of [svg, damaged, png(257), greyNoise(88)]) t.same(await refused({ logo }), ['/brand/logo invalid_value']);
  t.same(await refused({ logo: 'A'.repeat(20_000) }), ['/brand/logo too_long']);
  t.same(await refused('Shop'), ['/brand wrong_type']);
  t.same((await read()).brand, EMPTY);
});

t.test('of two who change a brand at once neither undoes the work of the other', async (t) => {
  const first = await fetch(`${api.baseUrl}/environment`, { headers: { authorization: `Bearer ${api.liveKey}` } });
  const headers = {
    authorization: `Bearer ${api.liveKey}`,
    'content-type': 'application/json',
    'if-match': first.headers.get('etag') as string,
  };
  const change = (color: string) =>
    fetch(`${api.baseUrl}/environment`, { method: 'PATCH', headers, body: JSON.stringify({ brand: { color } }) });
  t.equal((await change('#111111')).status, 200);
  t.equal((await change('#222222')).status, 412);
  t.equal((await read()).brand.color, '#111111');
  await patch(null);
});

t.test('a support link that comes on the block list later leaves the pages, and stays what its owner wrote', async (t) => {
  await patch({ support_url: 'https://later.example/help', name: 'Shop' });
  const list = async (line: string) => {
    const chunks = (async function* () {
      yield Buffer.from(line);
    })();
    await importBlocklist(api.database, { name: 'later', format: 'plain', chunks, strict: true });
  };
  await list('later.example\n');
  await api.database.transaction((transaction) => noteBlockedUrls(transaction));
  t.same((await record()).brand, { ...EMPTY, name: 'Shop' });
  t.equal((await read()).brand.support_url, 'https://later.example/help');
  await list('other.example\n');
  await api.database.transaction((transaction) => noteBlockedUrls(transaction));
  t.equal((await record()).brand?.support_url, 'https://later.example/help');
});

t.test('a PNG that names a second size is refused before anything of it is unpacked', async (t) => {
  const file = Buffer.from(png(32), 'base64');
  const header = Buffer.from(file.subarray(8, 33));
  header.writeUInt32BE(20_000, 8);
  header.writeUInt32BE(20_000, 12);
  header.writeUInt32BE(crc32(header.subarray(4, 21)), 21);
  const twice = Buffer.concat([file.subarray(0, 33), header, file.subarray(33)]).toString('base64');
  const began = performance.now();
  const { status, json } = await patch({ logo: twice });
  t.equal(status, 422);
  t.match(json.errors, [{ pointer: '/brand/logo', code: 'invalid_value' }]);
  t.ok(performance.now() - began < 1000);
  t.equal(logoFault(twice), DAMAGED, 'as the logo of a QR code');
});
