import { hexOf, type Rgb } from './hex-color.js';

/** The colours that a page of a link host is painted with, as `#rrggbb`. */
export interface PageColors {
  /** For links and signs on the card. */
  readonly accent: string;
  /** For the button and the mark: the brand's colour as it is. */
  readonly fill: string;
  /** For the text on them. */
  readonly on: string;
  /** For the edge around them: a fill that hardly differs from the card gets an outline. */
  readonly edge: string;
  /** For the background of a sign or a note. */
  readonly tint: string;
}

const BLACK: Rgb = { red: 0, green: 0, blue: 0 };
const WHITE: Rgb = { red: 255, green: 255, blue: 255 };

/** The colour of a page's card. `engine/pages/style.ts` has the same values, which a test compares. */
export const LIGHT_CARD: Rgb = WHITE;
export const DARK_CARD: Rgb = { red: 0x18, green: 0x1b, blue: 0x21 };

/** Least contrasts by WCAG 2.2: of text (1.4.3), and of what shows where a button is (1.4.11). */
const TEXT_CONTRAST_MIN = 4.5;
const EDGE_CONTRAST_MIN = 3;

const MIX_STEPS = 20;
const TINT = 0.08;

/** Returns the colours for light and dark mode. No colour is refused: one that cannot be read is mixed until it can. */
export function pageColors(color: Rgb): { readonly light: PageColors; readonly dark: PageColors } {
  return { light: colorsOn(color, LIGHT_CARD, BLACK), dark: colorsOn(color, DARK_CARD, WHITE) };
}

function colorsOn(color: Rgb, card: Rgb, towards: Rgb): PageColors {
  const accent = readable(color, card, towards);
  const on = contrast(color, WHITE) >= contrast(color, BLACK) ? WHITE : BLACK;
  return {
    accent: hexOf(accent),
    fill: hexOf(color),
    on: hexOf(on),
    edge: hexOf(contrast(color, card) >= EDGE_CONTRAST_MIN ? color : accent),
    tint: hexOf(mixed(card, accent, TINT)),
  };
}

/** Returns the colour, or the first mixture with `towards` that can be read on the card. */
function readable(color: Rgb, card: Rgb, towards: Rgb): Rgb {
  for (let step = 0; step < MIX_STEPS; step++) {
    const candidate = mixed(color, towards, step / MIX_STEPS);
    if (contrast(candidate, card) >= TEXT_CONTRAST_MIN) return candidate;
  }
  return towards;
}

function mixed(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (one: number, other: number) => Math.round(one + (other - one) * share);
  return { red: part(from.red, to.red), green: part(from.green, to.green), blue: part(from.blue, to.blue) };
}

/** Returns the contrast, from 1 to 21 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio). */
export function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance({ red, green, blue }: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(part: number): number {
  const value = part / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
