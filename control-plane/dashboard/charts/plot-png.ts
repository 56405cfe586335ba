import { drawHead, headHeight, type PictureHead } from './picture-head.js';
import { savePicture } from './save-picture.js';

/** Height of the text around a chart, in points. */
const TEXT_POINTS = 13;
const MARGIN_POINTS = 16;

/** Downloads the plot in the element as it is on the screen, below its head. */
export async function savePlotAsPng(element: HTMLElement | null, head: PictureHead, name: string): Promise<void> {
  const plot = element?.querySelector('canvas');
  if (plot === null || plot === undefined) return;
  const margin = Math.round(MARGIN_POINTS * devicePixelRatio);
  const textPixels = Math.round(TEXT_POINTS * devicePixelRatio);
  const above = margin + headHeight(head, textPixels);
  await savePicture(name, { width: plot.width + 2 * margin, height: above + plot.height + margin }, (context) => {
    drawHead(context, head, { left: margin, top: margin, textPixels });
    context.drawImage(plot, margin, above);
  });
}
