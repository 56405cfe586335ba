import type { Domain } from '../../../../shared/contract/schemas/domain.js';
import type { QrFormat, QrStyle as StoredStyle } from '../../../../shared/contract/schemas/link-qr.js';
import { text } from '../../language/text.js';
import type { CodeLook } from '../../parts/qr-code.js';
import { useAllRows } from '../../session/queries.js';

/** The choices of the QR studio. */
export interface QrStyle extends CodeLook {
  /** A PNG in base64, and the name of the file from which it was made. */
  readonly logo: { readonly name: string; readonly base64: string } | null;
}

const PLAIN: QrStyle = {
  foreground: '#000000',
  background: '#ffffff',
  dots: 'square',
  margin: 4,
  errorCorrection: 'M',
  frameText: '',
  logo: null,
};

/** The verified domain with this name; null for the link host of the environment, and until the domains have been read. */
export function useDomainOf(hostname: string): Domain | null {
  const { rows } = useAllRows('GET /domains', { query: { status: 'verified' } });
  return rows.find((domain) => domain.hostname === hostname) ?? null;
}

/** The style of a domain in the form of the studio; the plain style if the domain has none. */
export function styleOf(stored: StoredStyle | null): QrStyle {
  if (stored === null) return PLAIN;
  const withSign = (color: string | undefined, other: string) => (color === undefined ? other : `#${color.replace('#', '')}`);
  return {
    foreground: withSign(stored.foreground, PLAIN.foreground),
    background: withSign(stored.background, PLAIN.background),
    dots: stored.dots ?? PLAIN.dots,
    margin: stored.margin ?? PLAIN.margin,
    errorCorrection: stored.error_correction ?? PLAIN.errorCorrection,
    frameText: stored.frame_text ?? PLAIN.frameText,
    logo: null,
  };
}

/** The style in the form in which a domain stores it, without a logo. */
export function storedStyle({ foreground, background, dots, margin, errorCorrection, frameText }: QrStyle): StoredStyle {
  const line = frameText.trim();
  const style = { foreground, background, dots, margin, error_correction: errorCorrection };
  return line === '' ? style : { ...style, frame_text: line };
}

/** Styles to start from. The chosen logo stays. */
export function presets(): readonly { readonly name: string; readonly style: Partial<QrStyle> }[] {
  return [
    { name: text('Plain'), style: { ...PLAIN, frameText: '' } },
    { name: text('Soft'), style: { dots: 'rounded', foreground: '#1f2a44', background: '#ffffff' } },
    { name: text('Dots'), style: { dots: 'dots', foreground: '#0b6b45', background: '#f4fbf7' } },
    {
      name: text('Poster'),
      style: { dots: 'rounded', foreground: '#7a0d2e', background: '#fff4e6', margin: 3, frameText: text('Scan me') },
    },
  ];
}

/** Limits of the width of a download, in pixels. */
export const PIXELS_MIN = 128;
export const PIXELS_MAX = 2048;

export function isSize(pixels: number): boolean {
  return Number.isInteger(pixels) && pixels >= PIXELS_MIN && pixels <= PIXELS_MAX;
}

export function qrBody(style: QrStyle, format: QrFormat, size: number) {
  const { error_correction, ...look } = storedStyle(style);
  return { format, size, ...look, ...(style.logo === null ? { error_correction } : { logo: style.logo.base64 }) };
}
