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

/** `#rrggbb` in small letters. */
export function hexOf({ red, green, blue }: Rgb): string {
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance, 0 for black to 1 for white (WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance). */
export function luminanceOf({ red, green, blue }: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** Contrast ratio of two colours, 1 for the same to 21 for black and white (WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio). */
export function contrastOf(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}
