import type { Path } from './path.js';

/** The number of lines at which each line of pixels is sampled. Along a line, coverage is exact. */
const LINES_OF_PIXEL = 8;

/** The number of straight pieces that a curve is drawn as. A quarter of a circle of 35 pixels is off by less than a tenth of a pixel. */
const PIECES_OF_CURVE = 8;

interface Edge {
  readonly x: number;
  readonly y: number;
  /** Change of x with y. */
  readonly slope: number;
  readonly endY: number;
  readonly direction: 1 | -1;
}

/**
 * How much of each pixel is inside the path, 0 to 255, line by line. A point is inside if the path winds around it (the non-zero rule, with
 * which SVG and PDF fill by default). The coordinates are pixels.
 */
export function coverageOf(path: Path, width: number, height: number): Uint8Array {
  const edges = edgesOf(path).sort((a, b) => a.y - b.y);
  const covered = new Uint8Array(width * height);
  const line = new Float64Array(width);
  for (let row = 0; row < height; row++) {
    line.fill(0);
    for (let sample = 0; sample < LINES_OF_PIXEL; sample++) addSpans(line, edges, row + (sample + 0.5) / LINES_OF_PIXEL);
    for (let column = 0; column < width; column++)
      covered[row * width + column] = Math.min(255, Math.round(((line[column] as number) * 255) / LINES_OF_PIXEL));
  }
  return covered;
}

function addSpans(line: Float64Array, edges: readonly Edge[], y: number): void {
  const crossings: { x: number; direction: number }[] = [];
  for (const edge of edges) {
    if (edge.y > y) break;
    if (edge.endY > y) crossings.push({ x: edge.x + (y - edge.y) * edge.slope, direction: edge.direction });
  }
  crossings.sort((a, b) => a.x - b.x);
  let winding = 0;
  let start = 0;
  for (const { x, direction } of crossings) {
    if (winding === 0) start = x;
    winding += direction;
    if (winding === 0) addSpan(line, start, x);
  }
}

function addSpan(line: Float64Array, from: number, to: number): void {
  const start = Math.max(0, from);
  const end = Math.min(line.length, to);
  for (let column = Math.floor(start); column < end; column++)
    line[column] = (line[column] as number) + Math.min(end, column + 1) - Math.max(start, column);
}

function edgesOf(path: Path): Edge[] {
  const edges: Edge[] = [];
  let [startX, startY, x, y] = [0, 0, 0, 0];
  const lineTo = (nextX: number, nextY: number) => {
    if (nextY !== y) edges.push(edgeOf(x, y, nextX, nextY));
    [x, y] = [nextX, nextY];
  };
  for (const segment of path)
    switch (segment[0]) {
      case 'M':
        [, startX, startY] = segment;
        [x, y] = [startX, startY];
        break;
      case 'L':
        lineTo(segment[1], segment[2]);
        break;
      case 'C':
        for (const [nextX, nextY] of curvePoints(x, y, segment)) lineTo(nextX, nextY);
        break;
      case 'Z':
        lineTo(startX, startY);
    }
  return edges;
}

function edgeOf(x: number, y: number, nextX: number, nextY: number): Edge {
  const slope = (nextX - x) / (nextY - y);
  return y < nextY ? { x, y, slope, endY: nextY, direction: 1 } : { x: nextX, y: nextY, slope, endY: y, direction: -1 };
}

function curvePoints(x: number, y: number, segment: Extract<Path[number], readonly ['C', ...number[]]>): [number, number][] {
  const [, x1, y1, x2, y2, endX, endY] = segment;
  return Array.from({ length: PIECES_OF_CURVE }, (_, piece) => {
    const t = (piece + 1) / PIECES_OF_CURVE;
    const [a, b, c, d] = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2, t ** 3];
    return [a * x + b * x1 + c * x2 + d * endX, a * y + b * y1 + c * y2 + d * endY];
  });
}
