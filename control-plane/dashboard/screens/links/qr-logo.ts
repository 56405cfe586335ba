/** What the API takes: 64 KiB. */
const BASE64_CHARACTERS_MAX = 4 * Math.ceil((64 * 1024) / 3);

/** Sides in pixels that a logo is drawn with, until its PNG is small enough. */
const SIDES = [512, 256, 128, 64];

/**
 * The picture as a PNG in base64: the browser draws whatever it can show, so that of an SVG nothing but its looks is sent. Null
 * if it is no picture.
 */
export async function pngOfFile(file: File): Promise<string | null> {
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    for (const side of SIDES) {
      const base64 = drawn(image, side);
      if (base64 !== null && base64.length <= BASE64_CHARACTERS_MAX) return base64;
    }
    return null;
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(url);
  }
}

function drawn(image: HTMLImageElement, side: number): string | null {
  // An SVG may have no size of its own.
  const [width, height] = image.naturalWidth > 0 ? [image.naturalWidth, image.naturalHeight] : [side, side];
  const scale = Math.min(1, side / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').split(',')[1] ?? null;
}
