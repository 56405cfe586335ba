/** What the API's codes hold behind the URL, by which clicks of a code are told from others. */
export const SCANNED = '?qr=1';

/** As wide as a picture is drawn to be read: enough for the longest URL, and few enough pixels for a phone. */
const READ_PIXELS = 1024;

/** The text of the QR code in the picture, a PNG or an SVG; null if none can be read. The reader is a file of its own, loaded with the first download. */
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
