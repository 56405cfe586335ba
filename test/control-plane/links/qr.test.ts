import { inflateSync } from 'node:zlib';
import QRCode from 'qrcode';
import t from 'tap';
import { qrImage } from '../../../control-plane/links/qr.js';

const SHORT = 'https://go.example.com/spring';
/** The longest URL a link can have: a host name of 253 characters, a port, a path of 64. */
const LONG = `https://${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}:65535/${'p'.repeat(64)}`;

/** Rows of a QR symbol with its quiet zone, # for dark. */
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

interface Png {
  readonly width: number;
  readonly height: number;
  readonly depth: readonly number[];
  isDark(x: number, y: number): boolean;
}

function readPng(bytes: Buffer): Png {
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

t.test('an SVG holds the symbol of the text, of any size', async (t) => {
  for (const [text, size] of [
    [SHORT, 128],
    [LONG, 2048],
  ] as const) {
    const { type, bytes } = await qrImage(text, 'svg', size);
    const svg = bytes.toString();
    t.equal(type, 'image/svg+xml');
    t.match(svg, new RegExp(`^<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" `));
    t.same(modulesOfSvg(svg), expected(text));
  }
});

t.test('a PNG holds the symbol of the text, every module as many whole pixels wide', async (t) => {
  for (const text of [SHORT, LONG])
    for (const size of [128, 129, 255, 256, 1000, 2048]) {
      const { type, bytes } = await qrImage(text, 'png', size);
      t.equal(type, 'image/png');
      t.equal(bytes.toString('hex', 0, 8), '89504e470d0a1a0a');
      const png = readPng(bytes);
      t.match(png, { width: size, height: size, depth: [1, 0, 0, 0, 0] });
      const rows = expected(text)
        .map((row) => row.slice(4, -4))
        .slice(4, -4);
      const scale = Math.floor(size / (rows.length + 8));
      const offset = Math.floor((size - scale * rows.length) / 2);
      t.ok(offset >= 4 * scale, 'the quiet zone is there');
      let wrong = 0;
      for (let y = 0; y < size; y++)
        for (let x = 0; x < size; x++) {
          const module = rows[Math.floor((y - offset) / scale)]?.[Math.floor((x - offset) / scale)];
          if (png.isDark(x, y) !== (module === '#')) wrong++;
        }
      t.equal(wrong, 0, `${size} pixels`);
    }
});
