/**
 * QR images. The longest URL that a link can have takes 127 modules with the most error correction, the widest margin
 * and a frame: with less than one pixel per module it cannot be read. Larger images are for print, and SVG and PDF have
 * every size.
 */
export const QR_PIXELS_MIN = 128;
export const QR_PIXELS_MAX = 2048;
export const QR_PIXELS_DEFAULT = 256;

/** Light modules around a symbol. ISO/IEC 18004, 9.1, asks for four; with less than two scanners do not find it on a dark page. */
export const QR_MARGIN_MIN = 2;
export const QR_MARGIN_MAX = 16;
export const QR_MARGIN_DEFAULT = 4;

/** A line of this length is still large enough to read below a code. */
export const QR_FRAME_TEXT_CHARACTERS_MAX = 32;

/**
 * The logo of a code. It may have twice as many pixels as it has in the largest image, where it takes a quarter of
 * 2,048. The bytes are those of a small PNG; the pixels bound what they unpack to, 1 MiB.
 */
export const QR_LOGO_PIXELS_MAX = 512;
export const QR_LOGO_BYTES_MAX = 64 * 1024;
export const QR_LOGO_BASE64_CHARACTERS_MAX = 4 * Math.ceil(QR_LOGO_BYTES_MAX / 3);

/**
 * QR codes that are being made or wait for it. One takes the thread 1 to 4 ms, so that the last of them waits a second
 * at most. A PNG with colours, dots, a frame or a logo counts as one code for each 512 x 512 pixels begun, and twice
 * that for its compression. A few are made at once, because the compression of a PNG does not run on the thread itself.
 */
export const QR_IMAGES_MAX = 256;
export const QR_IMAGES_OF_KEY_MAX = 128;
export const QR_IMAGES_AT_ONCE = 4;
