import { download } from '../format/download.js';

/** Width and height, in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A colour of the page as it is now, by the name of its property in `tokens.css`. */
export function colourOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Downloads the drawing as a PNG, on the page's background colour, because a canvas has none of its own. */
export async function savePicture(
  name: string,
  { width, height }: PictureSize,
  draw: (context: CanvasRenderingContext2D) => void,
): Promise<void> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.fillStyle = colourOf('--surface');
  context.fillRect(0, 0, width, height);
  draw(context);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob !== null) download(blob, name);
}
