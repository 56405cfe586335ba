import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { Rgb } from '../../shared/base/hex-color.js';
import type { Layout } from './layout.js';
import type { Logo } from './logo.js';
import { decimal, type Path, rectangle } from './path.js';
import { moduleOutlines } from './symbol.js';

/** A pixel is 1/96 of an inch, as in CSS, and a point 1/72. */
const POINTS_OF_PIXEL = 72 / 96;

const deflated = promisify<Buffer, Buffer>(deflate);

/** The layout as a document of one page (ISO 32000-1), with paths, and the logo as an image. It contains no text and no font. */
export async function pdfOf(layout: Layout, size: number): Promise<Buffer> {
  const pageWidth = size * POINTS_OF_PIXEL;
  const scale = pageWidth / layout.width;
  const pageHeight = layout.height * scale;
  const page = `/MediaBox [0 0 ${decimal(pageWidth)} ${decimal(pageHeight)}]`;
  const resources = layout.logo === null ? '<< >>' : '<< /XObject << /Logo 5 0 R >> >>';
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from(`<< /Type /Page /Parent 2 0 R ${page} /Resources ${resources} /Contents 4 0 R >>`),
    await stream('', Buffer.from(contentOf(layout, scale, pageHeight))),
    ...(layout.logo === null ? [] : await logoObjects(layout.logo.image)),
  ];
  return documentOf(objects);
}

/** The page's y axis points up, so everything is drawn with the axis reversed. */
function contentOf({ width, height, background, foreground, symbol, offset, logo, frame }: Layout, scale: number, top: number): string {
  const lines = [`${decimal(scale)} 0 0 ${decimal(-scale)} 0 ${decimal(top)} cm`, paint(background), fill(rectangle(0, 0, width, height))];
  lines.push(paint(foreground));
  lines.push(fill(moduleOutlines(symbol, offset).flat()));
  if (logo !== null) {
    const { left, top: logoTop, width: logoWidth, height: logoHeight } = logo.box;
    const place = [logoWidth, 0, 0, -logoHeight, left, logoTop + logoHeight].map(decimal).join(' ');
    lines.push(`q ${place} cm /Logo Do Q`);
  }
  if (frame !== null) lines.push(fill(frame.border), paint(background), fill(frame.line));
  return lines.join('\n');
}

/** Greys are written as greys, so that a printer uses black ink for them and not a mix of three colours. */
function paint({ red, green, blue }: Rgb): string {
  const parts = red === green && green === blue ? [red] : [red, green, blue];
  return `${parts.map((part) => decimal(part / 255)).join(' ')} ${parts.length === 1 ? 'g' : 'rg'}`;
}

const OPERATORS = { M: 'm', L: 'l', C: 'c', Z: 'h' } as const;

function fill(path: Path): string {
  return `${path.map(([op, ...points]) => [...points.map(decimal), OPERATORS[op]].join(' ')).join('\n')}\nf`;
}

async function logoObjects({ width, height, pixels }: Logo): Promise<Buffer[]> {
  const colors = Buffer.alloc(width * height * 3);
  const opacity = Buffer.alloc(width * height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    pixels.copy(colors, pixel * 3, pixel * 4, pixel * 4 + 3);
    opacity[pixel] = pixels[pixel * 4 + 3] as number;
  }
  const image = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`;
  return [
    await stream(`${image} /ColorSpace /DeviceRGB /SMask 6 0 R `, colors),
    await stream(`${image} /ColorSpace /DeviceGray `, opacity),
  ];
}

async function stream(entries: string, data: Buffer): Promise<Buffer> {
  const bytes = await deflated(data);
  const head = `<< ${entries}/Length ${bytes.length} /Filter /FlateDecode >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\nendstream')]);
}

/** Objects numbered from 1, the table of their offsets, and the trailer that names the first object. */
function documentOf(objects: readonly Buffer[]): Buffer {
  // The second line marks the file as binary for programs that transfer it.
  const parts = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const offsets: number[] = [];
  let at = (parts[0] as Buffer).length;
  for (const [index, object] of objects.entries()) {
    offsets.push(at);
    const framed = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    parts.push(framed);
    at += framed.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  parts.push(
    Buffer.from(`xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}
