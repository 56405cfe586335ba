import type { Rgb } from './hex-color.js';

/**
 * How scanners turn a colour into a brightness before they distinguish dark from light: with the weights of Rec. 709
 * and of Rec. 601 (the Y of a camera's picture), and with a quarter, a half, a quarter (ZXing's RGBLuminanceSource), on
 * values as they are stored.
 */
const WEIGHTS = [
  [0.2126, 0.7152, 0.0722],
  [0.299, 0.587, 0.114],
  [0.25, 0.5, 0.25],
] as const;

/**
 * ZXing's HybridBinarizer, and jsQR after it, use half of the brightness of a light area as the threshold between dark
 * and light, and ignore a difference of less than 24. The rest is a reserve for shadows, and for glare on a print.
 */
const BRIGHTNESS_RATIO_MIN = 2.2;
const BRIGHTNESS_DIFFERENCE_MIN = 64;

/** Returns why scanners would not read a code of these colours; null if they would. */
export function scannerFault(foreground: Rgb, background: Rgb): string | null {
  const views = WEIGHTS.map((weights) => ({ dark: brightness(foreground, weights), light: brightness(background, weights) }));
  if (views.some(({ dark, light }) => dark >= light))
    return 'must be darker than the background: most scanners cannot read light codes on a dark background';
  const ratio = Math.min(...views.map(({ dark, light }) => light / Math.max(1, dark)));
  if (ratio < BRIGHTNESS_RATIO_MIN)
    return `must be darker, or the background lighter: for a scanner the background is ${oneDecimal(ratio)} times as bright, but must be ${BRIGHTNESS_RATIO_MIN} times as bright`;
  if (views.every(({ dark, light }) => light - dark >= BRIGHTNESS_DIFFERENCE_MIN)) return null;
  return 'requires a lighter background: for a scanner both are dark';
}

function brightness({ red, green, blue }: Rgb, [ofRed, ofGreen, ofBlue]: (typeof WEIGHTS)[number]): number {
  return red * ofRed + green * ofGreen + blue * ofBlue;
}

/** Rounded down, so that a value that is too small does not look large enough. */
function oneDecimal(value: number): string {
  return (Math.floor(value * 10) / 10).toFixed(1);
}
