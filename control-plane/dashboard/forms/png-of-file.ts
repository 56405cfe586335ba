/** The limits of the API for a picture. */
export interface PngBounds {
  readonly bytes: number;
  /** Lengths of the longer side to try, in pixels, until the PNG is small enough. */
  readonly sides: readonly number[];
}

/**
 * Returns the picture as a PNG in base64. The browser draws any format that it can show, so that only the appearance of an SVG is sent.
 * Null if the file is not a picture, or if its smallest PNG is too large.
 */
export async function pngOfFile(file: File, { bytes, sides }: PngBounds): Promise<string | null> {
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    for (const side of sides) {
      const base64 = drawn(image, side);
      if (base64 !== null && base64.length <= 4 * Math.ceil(bytes / 3)) return base64;
    }
    return null;
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(url);
  }
}

function drawn(image: HTMLImageElement, side: number): string | null {
  // An SVG need not have a size of its own.
  const [width, height] = image.naturalWidth > 0 ? [image.naturalWidth, image.naturalHeight] : [side, side];
  const scale = Math.min(1, side / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').split(',')[1] ?? null;
}
