import { hexOf } from '../../shared/base/hex-color.js';
import type { Layout } from './layout.js';
import { logoFile } from './logo.js';
import { decimal, type Path } from './path.js';
import { isOfSquares, moduleOutlines, type QrSymbol } from './symbol.js';

/** The layout as an SVG, `size` pixels wide. */
export function svgOf(layout: Layout, size: number): string {
  const { width, height, foreground, background, symbol, offset, logo, frame } = layout;
  const isSquare = isOfSquares(symbol);
  const parts = [
    `<path fill="${hexOf(background)}" d="M0 0h${width}v${height}H0z"/>`,
    filled(hexOf(foreground), isSquare ? strokes(symbol, offset) : moduleOutlines(symbol, offset).map(dataOf).join(''), isSquare),
  ];
  if (logo !== null) {
    const { left, top, width: boxWidth, height: boxHeight } = logo.box;
    const place = `x="${decimal(left)}" y="${decimal(top)}" width="${decimal(boxWidth)}" height="${decimal(boxHeight)}"`;
    parts.push(`<image ${place} href="data:image/png;base64,${logoFile(logo.image).toString('base64')}"/>`);
  }
  if (frame !== null)
    parts.push(filled(hexOf(foreground), dataOf(frame.border), true), filled(hexOf(background), dataOf(frame.line), false));
  const pixels = `width="${size}" height="${Math.round((size * height) / width)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${pixels} viewBox="0 0 ${width} ${height}">${parts.join('')}</svg>\n`;
}

function filled(color: string, data: string, crisp: boolean): string {
  return `<path fill="${color}"${crisp ? ' shape-rendering="crispEdges"' : ''} d="${data}"/>`;
}

/** One path, with a rectangle for each run of dark modules: a row of a symbol is a dozen rectangles rather than sixty squares. */
function strokes({ modules, shapeAt }: QrSymbol, offset: number): string {
  let data = '';
  for (let row = 0; row < modules; row++)
    for (let column = 0; column < modules; column++) {
      const start = column;
      while (column < modules && shapeAt(row, column) >= 0) column++;
      if (column > start) data += `M${start + offset} ${row + offset}h${column - start}v1h-${column - start}z`;
    }
  return data;
}

function dataOf(path: Path): string {
  return path.map(([op, ...points]) => op + points.map(decimal).join(' ')).join('');
}
