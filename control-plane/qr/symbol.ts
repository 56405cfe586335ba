import QRCode from 'qrcode';
import type { QrDotStyle, QrErrorCorrection } from '../../shared/contract/schemas/link-qr.js';
import { type Path, placed, unitSquare } from './path.js';

/** The modules of a QR code, without its margin. */
export interface QrSymbol {
  /** The number of modules on a side. */
  readonly modules: number;
  /** The number of modules on a side of the square in the middle that is left free for a logo; 0 without a logo. */
  readonly logoModules: number;
  /** Index into `shapes` of what is drawn for a module; -1 for a light one. */
  shapeAt(row: number, column: number): number;
  /** Outlines in a unit square. */
  readonly shapes: readonly Path[];
}

/**
 * The logo's side as a share of the symbol's. A quarter covers a sixteenth of the modules; error correction H restores
 * 30 % of the code words.
 */
const LOGO_SHARE_MAX = 0.25;

/** Indexed by which corners are round, with one bit for each, clockwise from the top left. */
const SHAPES: readonly Path[] = Array.from({ length: 16 }, (_, corners) =>
  unitSquare({
    topLeft: (corners & 1) !== 0,
    topRight: (corners & 2) !== 0,
    bottomRight: (corners & 4) !== 0,
    bottomLeft: (corners & 8) !== 0,
  }),
);
const SQUARE = 0;
const CIRCLE = 15;

export function symbolOf(text: string, errorCorrection: QrErrorCorrection, style: QrDotStyle, hasLogo: boolean): QrSymbol {
  const { modules: grid } = QRCode.create(text, { errorCorrectionLevel: errorCorrection });
  const modules = grid.size;
  const logoModules = hasLogo ? oddBelow(modules * LOGO_SHARE_MAX) : 0;
  const logoFrom = (modules - logoModules) / 2;
  const inLogo = (place: number) => place >= logoFrom && place < logoFrom + logoModules;
  const isDark = (row: number, column: number) =>
    row >= 0 && column >= 0 && row < modules && column < modules && grid.get(row, column) === 1 && !(inLogo(row) && inLogo(column));
  const shapeOf = {
    square: () => SQUARE,
    rounded: (row: number, column: number) => roundCorners(isDark, row, column),
    // Scanners look for the unbroken bars of the patterns that have the same position in every symbol.
    dots: (row: number, column: number) => (grid.isReserved(row, column) ? roundCorners(isDark, row, column) : CIRCLE),
  }[style];
  return { modules, logoModules, shapes: SHAPES, shapeAt: (row, column) => (isDark(row, column) ? shapeOf(row, column) : -1) };
}

/** Whether no module has a round corner. */
export function isOfSquares({ modules, shapeAt }: QrSymbol): boolean {
  for (let row = 0; row < modules; row++) for (let column = 0; column < modules; column++) if (shapeAt(row, column) > 0) return false;
  return true;
}

/** Outlines of the dark modules. The symbol is `offset` modules away from the left and from the top. */
export function moduleOutlines({ modules, shapes, shapeAt }: QrSymbol, offset: number): Path[] {
  const outlines: Path[] = [];
  for (let row = 0; row < modules; row++)
    for (let column = 0; column < modules; column++) {
      const shape = shapes[shapeAt(row, column)];
      if (shape !== undefined) outlines.push(placed(shape, 1, column + offset, row + offset));
    }
  return outlines;
}

/** The side of a symbol has an odd number of modules, so the square in its middle needs an odd number too. */
function oddBelow(value: number): number {
  const whole = Math.floor(value);
  return whole % 2 === 1 ? whole : whole - 1;
}

/** A corner is round if neither of the modules beside it is dark. */
function roundCorners(isDark: (row: number, column: number) => boolean, row: number, column: number): number {
  const above = isDark(row - 1, column);
  const below = isDark(row + 1, column);
  const left = isDark(row, column - 1);
  const right = isDark(row, column + 1);
  return (above || left ? 0 : 1) | (above || right ? 0 : 2) | (below || right ? 0 : 4) | (below || left ? 0 : 8);
}
