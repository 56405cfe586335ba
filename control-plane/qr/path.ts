/** Outlines of shapes. SVG and PDF write them as they are; for a PNG, they are filled pixel by pixel. */
export type Segment =
  | readonly ['M' | 'L', number, number]
  | readonly ['C', number, number, number, number, number, number]
  | readonly ['Z'];

export type Path = readonly Segment[];

/** How far the handles of a Bézier curve are from its ends, in radii, for a quarter of a circle. */
const CIRCLE = 0.5523;

/** The path, scaled and then moved. */
export function placed(path: Path, scale: number, left: number, top: number): Path {
  return path.map((segment): Segment => {
    const [op, ...points] = segment;
    const moved = points.map((value, index) => value * scale + (index % 2 === 0 ? left : top));
    return [op, ...moved] as unknown as Segment;
  });
}

export function rectangle(left: number, top: number, width: number, height: number): Path {
  return [['M', left, top], ['L', left + width, top], ['L', left + width, top + height], ['L', left, top + height], ['Z']];
}

/** Which corners of a unit square are round. */
export interface Corners {
  readonly topLeft: boolean;
  readonly topRight: boolean;
  readonly bottomRight: boolean;
  readonly bottomLeft: boolean;
}

/** A unit square, with a quarter of a circle of radius one half at every round corner. */
export function unitSquare({ topLeft, topRight, bottomRight, bottomLeft }: Corners): Path {
  const half = 0.5;
  const handle = half * (1 - CIRCLE);
  const path: Segment[] = [['M', half, 0]];
  if (topRight) path.push(['C', 1 - handle, 0, 1, handle, 1, half]);
  else path.push(['L', 1, 0], ['L', 1, half]);
  if (bottomRight) path.push(['C', 1, 1 - handle, 1 - handle, 1, half, 1]);
  else path.push(['L', 1, 1], ['L', half, 1]);
  if (bottomLeft) path.push(['C', handle, 1, 0, 1 - handle, 0, half]);
  else path.push(['L', 0, 1], ['L', 0, half]);
  if (topLeft) path.push(['C', 0, handle, handle, 0, half, 0]);
  else path.push(['L', 0, 0], ['L', half, 0]);
  path.push(['Z']);
  return path;
}

/** Rounds to three decimals, which is a thousandth of a module. */
export function decimal(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
