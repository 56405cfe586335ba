import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Path, Segment } from './path.js';

type Command =
  | { readonly type: 'M' | 'L'; readonly x: number; readonly y: number }
  | { readonly type: 'Q'; readonly x1: number; readonly y1: number; readonly x: number; readonly y: number }
  | {
      readonly type: 'C';
      readonly x1: number;
      readonly y1: number;
      readonly x2: number;
      readonly y2: number;
      readonly x: number;
      readonly y: number;
    }
  | { readonly type: 'Z' };

/** The part of opentype.js that is used. Its published types require those of a browser. */
interface Font {
  readonly unitsPerEm: number;
  readonly tables: { readonly os2: { readonly sCapHeight: number } };
  /** 0 for a character that the font does not have. */
  charToGlyphIndex(character: string): number;
  getAdvanceWidth(text: string, size: number): number;
  getPath(text: string, x: number, y: number, size: number): { readonly commands: readonly Command[] };
}

const require = createRequire(import.meta.url);

let loaded: Font | undefined;

/**
 * Letters are drawn as outlines, so that a line looks the same in SVG, PNG and PDF, whatever fonts the viewer has. Roboto (Apache-2.0) has
 * Latin, Greek and Cyrillic letters. Scripts whose letters join or are written from right to left are not drawn. The font is loaded when it
 * is first needed, which takes 50 ms.
 */
function roboto(): Font {
  if (loaded === undefined) {
    const { parse } = require('opentype.js') as { parse(bytes: ArrayBuffer): Font };
    const bytes = readFileSync(require.resolve('roboto-fontface/fonts/roboto/Roboto-Bold.woff'));
    loaded = parse(new Uint8Array(bytes).buffer);
  }
  return loaded;
}

/** The characters of the line that the font does not have. */
export function missingLetters(text: string): readonly string[] {
  return [...new Set(text)].filter((character) => roboto().charToGlyphIndex(character) === 0);
}

export interface Line {
  /** In a size of 1, starting at the left end of the base line. */
  readonly path: Path;
  readonly width: number;
  /** Height of a capital letter. */
  readonly capHeight: number;
}

export function lineOf(text: string): Line {
  const { unitsPerEm, tables } = roboto();
  return { path: outlineOf(text), width: roboto().getAdvanceWidth(text, 1), capHeight: tables.os2.sCapHeight / unitsPerEm };
}

function outlineOf(text: string): Path {
  let [fromX, fromY] = [0, 0];
  return roboto()
    .getPath(text, 0, 0, 1)
    .commands.map((command): Segment => {
      if (command.type === 'Z') return ['Z'];
      const { x, y } = command;
      const [startX, startY] = [fromX, fromY];
      [fromX, fromY] = [x, y];
      if (command.type === 'C') return ['C', command.x1, command.y1, command.x2, command.y2, x, y];
      if (command.type === 'Q') return cubic(startX, startY, command.x1, command.y1, x, y);
      return [command.type, x, y];
    });
}

/** Converts a quadratic curve, which has one handle, into a cubic one, which has two. */
function cubic(startX: number, startY: number, handleX: number, handleY: number, x: number, y: number): Segment {
  const toward = (end: number, handle: number) => end + (2 / 3) * (handle - end);
  return ['C', toward(startX, handleX), toward(startY, handleY), toward(x, handleX), toward(y, handleY), x, y];
}
