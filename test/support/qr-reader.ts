import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import type { QRCode } from 'jsqr';
import { PNG } from 'pngjs';
import { coverageOf } from '../../control-plane/qr/coverage.js';
import { type Path, placed, type Segment } from '../../control-plane/qr/path.js';

/** A reader of QR codes that is independent of the code that makes them. */
const jsQR = createRequire(import.meta.url)('jsqr') as (
  data: Uint8ClampedArray,
  width: number,
  height: number,
  options: { readonly inversionAttempts: 'dontInvert' },
) => QRCode | null;

/** Pixels of a module's side when a vector image is drawn to be read. */
const MODULE_PIXELS = 4;

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Returns the text of the code in the picture; null if none is found. */
export function readQrPicture({ width, height, data }: Picture): string | null {
  return jsQR(new Uint8ClampedArray(data), width, height, { inversionAttempts: 'dontInvert' })?.data ?? null;
}

export function readQrPng(bytes: Buffer): string | null {
  return readQrPicture(PNG.sync.read(bytes));
}

interface Fill {
  readonly color: readonly [number, number, number];
  readonly path: Path;
}

interface VectorImage {
  readonly width: number;
  readonly height: number;
  readonly fills: readonly Fill[];
}

export function readQrVector(image: VectorImage): string | null {
  return readQrPicture(drawn(image));
}

function drawn({ width, height, fills }: VectorImage): Picture {
  const [columns, rows] = [Math.round(width * MODULE_PIXELS), Math.round(height * MODULE_PIXELS)];
  const data = new Uint8Array(columns * rows * 4).fill(128);
  for (const { color, path } of fills)
    for (const [index, covered] of coverageOf(placed(path, MODULE_PIXELS, 0, 0), columns, rows).entries())
      if (covered > 127) data.set([...color, 255], index * 4);
  return { width: columns, height: rows, data };
}

/** Returns the filled paths of an SVG of ours, in modules. Images in it are left out. */
export function svgImage(svg: string): VectorImage {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
  const fills = [...svg.matchAll(/<path fill="#(..)(..)(..)"[^>]*? d="([^"]+)"/g)].map(([, red, green, blue, data]): Fill => {
    const color = [red, green, blue].map((part) => Number.parseInt(part as string, 16)) as [number, number, number];
    return { color, path: svgPath(data as string) };
  });
  return { width: Number(width), height: Number(height), fills };
}

function svgPath(data: string): Path {
  const path: Segment[] = [];
  let [x, y] = [0, 0];
  for (const [, op, rest] of data.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const points = (rest as string).match(/-?[\d.]+/g)?.map(Number) ?? [];
    if (op === 'z' || op === 'Z') {
      path.push(['Z']);
      continue;
    }
    if (op === 'h') [x] = [x + (points[0] as number)];
    else if (op === 'v') [y] = [y + (points[0] as number)];
    else if (op === 'H') [x] = [points[0] as number];
    else [x, y] = points.slice(-2) as [number, number];
    path.push(op === 'C' || op === 'M' ? ([op, ...points] as unknown as Segment) : ['L', x, y]);
  }
  return path;
}

/** Returns the objects of a PDF by the table at its end. Throws if the table does not lead to them. */
export function pdfObjects(bytes: Buffer): readonly Buffer[] {
  const text = bytes.toString('latin1');
  const tableAt = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  const offsets = [...text.slice(tableAt).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
  return offsets.map((offset, index) => {
    const head = `${index + 1} 0 obj\n`;
    if (!text.startsWith(head, offset)) throw new Error(`object ${index + 1} is not at ${offset}`);
    return bytes.subarray(offset + head.length, text.indexOf('\nendobj\n', offset));
  });
}

/** Returns the unpacked data of an object of a PDF. */
export function pdfStream(object: Buffer): Buffer {
  const from = object.indexOf('stream\n') + 7;
  const length = Number(/\/Length (\d+)/.exec(object.toString('latin1', 0, from))?.[1]);
  if (object.toString('latin1', from + length) !== '\nendstream') throw new Error('the stream is not as long as it says');
  return inflateSync(object.subarray(from, from + length));
}

/** Returns the filled paths of a PDF of ours, in modules. */
export function pdfImage(bytes: Buffer): VectorImage {
  const objects = pdfObjects(bytes);
  const [, pageWidth, pageHeight] = /MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(String(objects[2])) ?? [];
  const fills: Fill[] = [];
  let [scale, path, color]: [number, Segment[], [number, number, number]] = [1, [], [0, 0, 0]];
  for (const line of pdfStream(objects[3] as Buffer)
    .toString()
    .split('\n')) {
    const words = line.split(' ');
    const op = words.pop();
    const points = words.map(Number);
    if (op === 'cm') [scale] = points as [number];
    else if (op === 'g') color = Array(3).fill((points[0] as number) * 255) as [number, number, number];
    else if (op === 'rg') color = points.map((part) => Math.round(part * 255)) as [number, number, number];
    else if (op === 'h') path.push(['Z']);
    else if (op === 'f') {
      fills.push({ color, path });
      path = [];
    } else if (op === 'm' || op === 'l' || op === 'c') path.push([op.toUpperCase(), ...points] as unknown as Segment);
  }
  return { width: Number(pageWidth) / scale, height: Number(pageHeight) / scale, fills };
}
