/** A colour of the sRGB space, each part 0 to 255. */
export interface Rgb {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

const HEX = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;

/** The colour that `#0d3b66` or `0d3b66` names; null for anything else. */
export function parseHexColor(text: string): Rgb | null {
  const parts = HEX.exec(text)
    ?.slice(1)
    .map((part) => Number.parseInt(part, 16));
  if (parts === undefined) return null;
  const [red, green, blue] = parts as [number, number, number];
  return { red, green, blue };
}

/** `#rrggbb` in lower case. */
export function hexOf({ red, green, blue }: Rgb): string {
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
