import { drawHead, headHeight, type PictureHead } from './picture-head.js';
import { savePicture } from './save-picture.js';

/** As wide as a page on a screen with two pixels per point. */
const WIDTH_PX = 1920;

const MARGIN_PX = 48;
const TEXT_PX = 28;

/**
 * Downloads a drawing made of paths as it is on the screen, below its head, in the colours that the style sheets give it now, on the page's
 * background.
 */
export async function saveSvgAsPng(drawing: SVGSVGElement | null, head: PictureHead, name: string): Promise<void> {
  if (drawing === null) return;
  const box = drawing.viewBox.baseVal;
  const width = WIDTH_PX;
  const height = Math.round((WIDTH_PX * box.height) / box.width);
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const shown = drawing.querySelectorAll('path');
  // An image does not use the page's style sheets, so each path gets its colours as attributes.
  for (const [at, path] of copy.querySelectorAll('path').entries()) {
    const { fill, stroke, strokeWidth } = getComputedStyle(shown[at] as SVGPathElement);
    for (const [attribute, value] of Object.entries({ fill, stroke, 'stroke-width': strokeWidth })) path.setAttribute(attribute, value);
  }
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' }));
  try {
    const picture = new Image();
    picture.src = url;
    await picture.decode();
    const above = MARGIN_PX + headHeight(head, TEXT_PX);
    await savePicture(name, { width, height: above + height }, (context) => {
      drawHead(context, head, { left: MARGIN_PX, top: MARGIN_PX, textPixels: TEXT_PX });
      context.drawImage(picture, 0, above);
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
