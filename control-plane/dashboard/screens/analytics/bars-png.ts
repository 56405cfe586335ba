import { drawHead, headHeight, type PictureHead } from '../../charts/picture-head.js';
import { colourOf, savePicture } from '../../charts/save-picture.js';
import { exactCount } from '../../format/numbers.js';

export interface Bar {
  readonly name: string;
  readonly count: number;
  /** The share of the total; '' for none. */
  readonly share: string;
}

/** Sizes in pixels, with two pixels per point of an ordinary screen. */
const WIDTH = 1600;
const MARGIN = 48;
const TEXT = 30;
const TEXT_GAP = 10;
const BAR = 40;
const BAR_GAP = 40;
const STEP = TEXT + TEXT_GAP + BAR + BAR_GAP;

/** Downloads a picture of bars below each other, with their counts, below the head. */
export async function saveBarsAsPng(head: PictureHead, bars: readonly Bar[], name: string): Promise<void> {
  const largest = Math.max(1, ...bars.map(({ count }) => count));
  const width = WIDTH - 2 * MARGIN;
  const above = MARGIN + headHeight(head, TEXT);
  await savePicture(name, { width: WIDTH, height: above + bars.length * STEP - BAR_GAP + MARGIN }, (context) => {
    drawHead(context, head, { left: MARGIN, top: MARGIN, textPixels: TEXT });
    context.textBaseline = 'top';
    const font = getComputedStyle(document.body).fontFamily;
    for (const [place, { name, count, share }] of bars.entries()) {
      const top = above + place * STEP;
      context.font = `${TEXT}px ${font}`;
      context.fillStyle = colourOf('--text');
      context.textAlign = 'left';
      context.fillText(name, MARGIN, top, width * 0.75);
      context.textAlign = 'right';
      context.fillText(share === '' ? exactCount(count) : `${exactCount(count)}, ${share}`, WIDTH - MARGIN, top);
      const bar = top + TEXT + TEXT_GAP;
      context.fillStyle = colourOf('--sunken');
      context.fillRect(MARGIN, bar, width, BAR);
      context.fillStyle = colourOf('--series-1');
      context.fillRect(MARGIN, bar, (width * count) / largest, BAR);
    }
  });
}
