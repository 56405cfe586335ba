/** What the API's codes contain after the URL. It distinguishes clicks by a code from others. */
export const SCANNED = '?qr=1';

/** Width at which a picture is drawn for reading: enough for the longest URL, and few enough pixels for a phone. */
const READ_PIXELS = 1024;

/**
 * Reads the QR code in a picture, a PNG or an SVG. Null if it cannot be read. The decoder is a separate file, which is loaded with the
 * first download.
 */
export async function readQr(picture: Blob): Promise<string | null> {
  const url = URL.createObjectURL(picture);
  try {
    const [{ default: read }, image] = [await import('jsqr'), new Image()];
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = READ_PIXELS;
    canvas.height = Math.round((READ_PIXELS * image.naturalHeight) / image.naturalWidth);
    const context = canvas.getContext('2d');
    if (context === null) return null;
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
    return read(data, width, height, { inversionAttempts: 'dontInvert' })?.data ?? null;
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(url);
  }
}
