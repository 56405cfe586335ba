import type { Rgb } from '../../shared/base/hex-color.js';
import { lineOf } from './lettering.js';
import { type Box, boxOf, type Logo } from './logo.js';
import { type Path, placed, rectangle } from './path.js';
import type { QrTask } from './style.js';
import type { QrSymbol } from './symbol.js';

/** The layout of a code in modules, independent of the file format. Its members are painted in this order. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly foreground: Rgb;
  readonly background: Rgb;
  readonly symbol: QrSymbol;
  /** The distance of the symbol from the left and from the top. */
  readonly offset: number;
  readonly logo: { readonly image: Logo; readonly box: Box } | null;
  /** The frame in the foreground, and its line in the background. */
  readonly frame: { readonly border: Path; readonly line: Path } | null;
}

export interface LayoutOptions extends Pick<QrTask, 'foreground' | 'background' | 'margin' | 'frameText'> {
  readonly logo: Logo | null;
}

/** Light modules between the logo and the symbol. */
const LOGO_GAP = 0.5;

const BORDER = 1;
/** The height of the band that contains the line, and the line's maximum width, as shares of the image's width. */
const BAND_HEIGHT = 0.2;
const LINE_WIDTH_MAX = 0.88;
/** As a share of the band's height. */
const CAPITALS_HEIGHT_MAX = 0.42;

export function layoutOf(symbol: QrSymbol, { foreground, background, margin, frameText, logo }: LayoutOptions): Layout {
  const border = frameText === null ? 0 : BORDER;
  const width = symbol.modules + 2 * (margin + border);
  const band = frameText === null ? 0 : Math.round(width * BAND_HEIGHT);
  const offset = margin + border;
  return {
    width,
    height: frameText === null ? width : width - BORDER + band,
    foreground,
    background,
    symbol,
    offset,
    logo: logo === null ? null : { image: logo, box: logoBox(symbol, offset, logo) },
    frame: frameText === null ? null : frameOf(frameText, width, band),
  };
}

function logoBox({ modules, logoModules }: QrSymbol, offset: number, logo: Logo): Box {
  const from = offset + (modules - logoModules) / 2 + LOGO_GAP;
  return boxOf(logo, from, from, logoModules - 2 * LOGO_GAP);
}

function frameOf(text: string, width: number, band: number): NonNullable<Layout['frame']> {
  const height = width - BORDER + band;
  const bandTop = height - band;
  const { path, width: lineWidth, capHeight } = lineOf(text);
  const size = Math.min((width * LINE_WIDTH_MAX) / lineWidth, (band * CAPITALS_HEIGHT_MAX) / capHeight);
  const border = [
    ...rectangle(0, 0, width, BORDER),
    ...rectangle(0, BORDER, BORDER, bandTop - BORDER),
    ...rectangle(width - BORDER, BORDER, BORDER, bandTop - BORDER),
    ...rectangle(0, bandTop, width, band),
  ];
  const baseLine = bandTop + (band + size * capHeight) / 2;
  return { border, line: placed(path, size, (width - size * lineWidth) / 2, baseLine) };
}
