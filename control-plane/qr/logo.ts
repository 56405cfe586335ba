import { PNG } from 'pngjs';
import { QR_LOGO_BYTES_MAX, QR_LOGO_PIXELS_MAX } from '../../shared/base/qr-limits.js';

/** The picture in the middle of a code, as its pixels: red, green, blue and opacity, one byte each. */
export interface Logo {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

const SIGNATURE = '89504e470d0a1a0a';

/** The largest size of a logo, in bytes and in pixels on each side. */
export interface LogoLimits {
  readonly bytes: number;
  readonly pixels: number;
}

const QR_LIMITS: LogoLimits = { bytes: QR_LOGO_BYTES_MAX, pixels: QR_LOGO_PIXELS_MAX };

/** What is wrong with the logo, as far as its header and its chunks show; null if nothing is. */
export function logoFault(base64: string, limits: LogoLimits = QR_LIMITS): string | null {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > limits.bytes) return `must have at most ${limits.bytes / 1024} KiB`;
  // The header is the first chunk (ISO/IEC 15948, 5.6): length, IHDR, width, height.
  if (bytes.length < 24 || bytes.toString('hex', 0, 8) !== SIGNATURE || bytes.toString('latin1', 12, 16) !== 'IHDR')
    return 'must be a PNG in base64. Convert an SVG or another image to PNG first';
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width < 1 || height < 1 || width > limits.pixels || height > limits.pixels)
    return `must be between 1 and ${limits.pixels} pixels wide and high`;
  return hasSecondHeader(bytes) ? DAMAGED : null;
}

export const DAMAGED = 'is damaged: it cannot be read as a PNG';

/** The bytes of a chunk besides its data: length, type and checksum. */
const CHUNK_BYTES_BESIDE = 12;

/** Whether a later chunk is another header, whose size a reader would use to unpack the picture. */
function hasSecondHeader(bytes: Buffer): boolean {
  let at = SIGNATURE.length / 2;
  for (let chunk = 0; at + CHUNK_BYTES_BESIDE <= bytes.length; chunk++) {
    if (chunk > 0 && bytes.toString('latin1', at + 4, at + 8) === 'IHDR') return true;
    at += CHUNK_BYTES_BESIDE + bytes.readUInt32BE(at);
  }
  return false;
}

/** The logo's pixels; null if it is damaged. Only for a logo without a `logoFault`, which limits the size of what it unpacks to. */
export function readLogo(base64: string): Logo | null {
  try {
    const { width, height, data } = PNG.sync.read(Buffer.from(base64, 'base64'));
    return { width, height, pixels: data };
  } catch {
    return null;
  }
}

/** The logo as a new file, with its pixels and nothing else that the original file contained. */
export function logoFile({ width, height, pixels }: Logo): Buffer {
  const png = new PNG({ width, height });
  pixels.copy(png.data);
  return PNG.sync.write(png);
}

/** A rectangle in an image. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The largest box for the logo, centred in a square, with the logo's proportions. */
export function boxOf(logo: Logo, left: number, top: number, side: number): Box {
  const scale = side / Math.max(logo.width, logo.height);
  const [width, height] = [logo.width * scale, logo.height * scale];
  return { left: left + (side - width) / 2, top: top + (side - height) / 2, width, height };
}
