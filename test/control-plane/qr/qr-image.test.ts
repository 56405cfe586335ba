import { crc32, inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import QRCode from 'qrcode';
import t from 'tap';
import { Refusal } from '../../../control-plane/http/problems.js';
import { qrImage } from '../../../control-plane/qr/qr-image.js';
import { taskOf } from '../../../control-plane/qr/style.js';
import { hexOf } from '../../../shared/base/hex-color.js';
import { QR_LOGO_PIXELS_MAX } from '../../../shared/base/qr-limits.js';
import { scannerFault } from '../../../shared/base/scanner-contrast.js';
import { QR_DOT_STYLES, QR_ERROR_CORRECTIONS, type QrRequest } from '../../../shared/contract/schemas/link-qr.js';
import fc from '../../support/properties.js';
import { pdfImage, pdfObjects, pdfStream, readQrPng, readQrVector, svgImage } from '../../support/qr-reader.js';

const SHORT = 'https://go.example.com/spring';
/** The longest URL that a link can have: a host name of 253 characters, a port, and a path of 64. */
const LONG = `https://${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}:65535/${'p'.repeat(64)}`;

/** A disc on a transparent ground, or a square that is opaque everywhere: logos for the middle of a code. */
function logo(kind: 'disc' | 'square', width: number, height = width): string {
  const png = new PNG({ width, height });
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const inside = kind === 'square' || (x - width / 2) ** 2 + (y - height / 2) ** 2 < (width / 2) ** 2;
      png.data.set(inside ? [200, 30, 60, 255] : [0, 0, 0, 0], (y * width + x) * 4);
    }
  return PNG.sync.write(png).toString('base64');
}

const image = async (text: string, request: QrRequest) => {
  const { type, bytes } = await qrImage(taskOf(text, request, { in: 'body', parent: '' }));
  return { type, bytes, text: bytes.toString() };
};

/** The rows of a QR symbol with its quiet zone; # is dark. */
function expected(text: string): string[] {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
  const light = ' '.repeat(modules.size + 8);
  const rows = Array.from({ length: modules.size }, (_, row) =>
    Array.from({ length: modules.size }, (_, column) => (modules.get(row, column) ? '#' : ' ')).join(''),
  );
  return [...Array(4).fill(light), ...rows.map((row) => `    ${row}    `), ...Array(4).fill(light)];
}

function modulesOfSvg(svg: string): string[] {
  const side = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const grid = Array.from({ length: side }, () => Array<string>(side).fill(' '));
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let column = 0; column < Number(width); column++) (grid[Number(y)] as string[])[Number(x) + column] = '#';
  return grid.map((row) => row.join(''));
}

interface Bits {
  readonly width: number;
  readonly height: number;
  readonly depth: readonly number[];
  isDark(x: number, y: number): boolean;
}

function readBits(bytes: Buffer): Bits {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const header = chunks.get('IHDR') as Buffer;
  const width = header.readUInt32BE(0);
  const pixels = inflateSync(chunks.get('IDAT') as Buffer);
  const lineBytes = 1 + Math.ceil(width / 8);
  return {
    width,
    height: pixels.length / lineBytes,
    depth: [...header.subarray(8)],
    isDark: (x, y) => ((pixels[y * lineBytes + 1 + (x >> 3)] as number) & (0x80 >> (x & 7))) === 0,
  };
}

t.test('an SVG contains the symbol of the text in the given size', async (t) => {
  for (const [text, size] of [
    [SHORT, 128],
    [LONG, 2048],
  ] as const) {
    const svg = await image(text, { size });
    t.equal(svg.type, 'image/svg+xml');
    t.match(svg.text, new RegExp(`^<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" `));
    t.same(modulesOfSvg(svg.text), expected(text));
  }
});

t.test('a PNG of black squares contains the symbol, with modules of whole pixels and one bit for each pixel', async (t) => {
  for (const text of [SHORT, LONG])
    for (const size of [128, 129, 255, 256, 1000, 2048]) {
      const { type, bytes } = await image(text, { format: 'png', size });
      t.equal(type, 'image/png');
      t.equal(bytes.toString('hex', 0, 8), '89504e470d0a1a0a');
      const png = readBits(bytes);
      t.match(png, { width: size, height: size, depth: [1, 0, 0, 0, 0] });
      const rows = expected(text)
        .map((row) => row.slice(4, -4))
        .slice(4, -4);
      const scale = Math.floor(size / (rows.length + 8));
      const offset = Math.floor((size - scale * rows.length) / 2);
      t.ok(offset >= 4 * scale, 'the quiet zone is at least four modules wide');
      let wrong = 0;
      for (let y = 0; y < size; y++)
        for (let x = 0; x < size; x++) {
          const module = rows[Math.floor((y - offset) / scale)]?.[Math.floor((x - offset) / scale)];
          if (png.isDark(x, y) !== (module === '#')) wrong++;
        }
      t.equal(wrong, 0, `${size} pixels`);
    }
});

const COLORS = [
  {},
  { foreground: '#0d3b66', background: '#faf0ca' },
  { foreground: 'b00020' },
  { foreground: '#000000', background: '#7fd1ae' },
] as const;
const ADDITIONS = [
  {},
  { margin: 2 },
  { frame_text: 'Scan me' },
  { logo: logo('disc', 96) },
  { logo: logo('square', 300), frame_text: 'Größe Ёлка Ω' },
];

for (const dots of QR_DOT_STYLES)
  t.test(`a code of ${dots} is readable in each colour, with a frame and with a logo, as PNG, SVG and PDF`, async (t) => {
    // Each colour with one addition, and each addition in black.
    for (const [index, colors] of COLORS.entries())
      for (const addition of index === 0 ? ADDITIONS : ADDITIONS.slice(index + 1, index + 2)) {
        const style = { dots, ...colors, ...addition };
        const what = JSON.stringify({ ...style, ...('logo' in style ? { logo: '...' } : {}) });
        t.equal(readQrPng((await image(SHORT, { ...style, format: 'png', size: 420 })).bytes), SHORT, `PNG ${what}`);
        t.equal(readQrVector(svgImage((await image(SHORT, style)).text)), SHORT, `SVG ${what}`);
        t.equal(readQrVector(pdfImage((await image(SHORT, { ...style, format: 'pdf' })).bytes)), SHORT, `PDF ${what}`);
      }
  });

t.test('a code of the longest URL is readable with each error correction and with a logo, at 512 and 640 pixels', async (t) => {
  for (const size of [512, 640])
    for (const dots of QR_DOT_STYLES) {
      for (const error_correction of QR_ERROR_CORRECTIONS)
        t.equal(
          readQrPng((await image(LONG, { format: 'png', size, dots, error_correction })).bytes),
          LONG,
          `${dots} ${size}, ${error_correction}`,
        );
      t.equal(
        readQrPng((await image(LONG, { format: 'png', size, dots, logo: logo('square', QR_LOGO_PIXELS_MAX) })).bytes),
        LONG,
        `${dots} ${size}, logo`,
      );
    }
});

const channel = fc.integer({ min: 0, max: 255 });
const color = fc.record({ red: channel, green: channel, blue: channel });

t.test('every accepted pair of colours is readable', async () => {
  const pairs = fc.tuple(color, color).filter(([foreground, background]) => scannerFault(foreground, background) === null);
  await fc.assert(
    fc.asyncProperty(pairs, fc.constantFrom(...QR_DOT_STYLES), async ([foreground, background], dots) => {
      const { bytes } = await image(SHORT, { format: 'png', dots, foreground: hexOf(foreground), background: hexOf(background) });
      return readQrPng(bytes) === SHORT;
    }),
    { numRuns: 60 },
  );
});

t.test('a logo covers at most a sixteenth of the symbol, keeps its proportions, and has no modules behind it', async (t) => {
  for (const text of [SHORT, LONG, 'https://a.de/b']) {
    const { modules } = QRCode.create(text, { errorCorrectionLevel: 'H' });
    const svg = (await image(text, { logo: logo('square', 100, 50) })).text;
    const [, x, y, width, height] = (/<image x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? []).map(
      Number,
    ) as number[];
    t.ok(((width as number) + 1) ** 2 <= modules.size ** 2 / 16, `${width} of ${modules.size} modules`);
    t.ok((width as number) >= modules.size / 8, 'the logo is large enough to see');
    t.equal(height, (width as number) / 2);
    t.equal(2 * (x as number) + (width as number), modules.size + 8);
    t.equal(2 * (y as number) + (height as number), modules.size + 8);
    t.notMatch(
      modulesOfSvg(svg)[(modules.size + 7) / 2]?.slice(Math.floor(x as number), Math.ceil((x as number) + (width as number))),
      '#',
    );
  }
});

t.test('only the pixels of a logo are passed on', async (t) => {
  const secret = Buffer.from('tEXtGPS of the office');
  const file = Buffer.from(logo('disc', 40), 'base64');
  const chunk = Buffer.alloc(secret.length + 8);
  chunk.writeUInt32BE(secret.length - 4, 0);
  chunk.set(secret, 4);
  chunk.writeUInt32BE(crc32(secret), secret.length + 4);
  // After the header, which ends at byte 33.
  const withText = Buffer.concat([file.subarray(0, 33), chunk, file.subarray(33)]).toString('base64');
  const svg = await image(SHORT, { logo: withText });
  const embedded = Buffer.from(/base64,([^"]+)"/.exec(svg.text)?.[1] ?? '', 'base64');
  t.equal(embedded.includes('GPS'), false);
  t.same(PNG.sync.read(embedded).data, PNG.sync.read(file).data);
  const pdf = pdfObjects((await image(SHORT, { format: 'pdf', logo: withText })).bytes);
  t.same([...pdfStream(pdf[4] as Buffer).subarray((20 * 40 + 20) * 3, (20 * 40 + 20) * 3 + 3)], [200, 30, 60]);
  t.same([pdfStream(pdf[5] as Buffer)[0], pdfStream(pdf[5] as Buffer)[20 * 40 + 20]], [0, 255]);
});

t.test('a half transparent logo is blended with the background', async (t) => {
  const half = new PNG({ width: 1, height: 1 });
  half.data.set([255, 0, 0, 128]);
  const { bytes } = await image(SHORT, { format: 'png', size: 512, logo: PNG.sync.write(half).toString('base64') });
  const { data, width } = PNG.sync.read(bytes);
  t.same([...data.subarray((256 * width + 256) * 4, (256 * width + 256) * 4 + 4)], [255, 127, 127, 255]);
});

t.test('a frame makes the image higher, its text is drawn as outlines, and unsupported characters are refused', async (t) => {
  const png = PNG.sync.read((await image(SHORT, { format: 'png', size: 500, frame_text: 'Scan me' })).bytes);
  t.equal(png.width, 500);
  t.ok(png.height > 560 && png.height < 640, `${png.height} high`);
  const svg = (await image(SHORT, { size: 500, frame_text: '<b>&' })).text;
  t.notMatch(svg, /<text|<b>|font/);
  for (const frame_text of ['مرحبا', '扫描', 'Scan 🚀'])
    await t.rejects(image(SHORT, { frame_text }), { code: 'validation_failed', errors: [{ pointer: '/frame_text', in: 'body' }] });
});

t.test('a damaged logo and a PNG with less than a pixel for each module are refused', async (t) => {
  const whole = Buffer.from(logo('disc', 64), 'base64');
  for (const bytes of [whole.subarray(0, 60), Buffer.concat([whole.subarray(0, 40), Buffer.alloc(whole.length - 40)])])
    await t.rejects(image(SHORT, { logo: bytes.toString('base64') }), { errors: [{ pointer: '/logo' }] });
  const smallest = { format: 'png', size: 128, margin: 16, frame_text: 'Scan', error_correction: 'H' } as const;
  t.type((await image(LONG, smallest)).bytes, Buffer);
  await t.rejects(image(`${LONG}${'x'.repeat(100)}`, smallest), Refusal);
});

t.test('a PDF has one page of the given size and uses black ink for black', async (t) => {
  const objects = pdfObjects((await image(SHORT, { format: 'pdf', size: 960 })).bytes);
  t.equal(objects.length, 4);
  t.match(String(objects[2]), '/MediaBox [0 0 720 720]');
  t.match(pdfStream(objects[3] as Buffer).toString(), /\n0 g\n/);
});
