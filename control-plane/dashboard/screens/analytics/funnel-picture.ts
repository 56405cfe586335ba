import { colourOf, savePicture } from '../../charts/save-picture.js';
import { exactCount } from '../../format/numbers.js';

export interface FunnelStep {
  readonly name: string;
  readonly count: number;
  /** As a share of the clicks; '' without any. */
  readonly ofClicks: string;
}

/** In pixels, two to a point of a usual screen. */
const WIDTH = 1600;
const MARGIN = 48;
const TEXT = 30;
const TEXT_GAP = 10;
const BAR = 40;
const STEP_GAP = 40;
const STEP = TEXT + TEXT_GAP + BAR + STEP_GAP;

/** Downloads the steps as bars under each other, as wide as they have counts. */
export async function saveFunnelAsPng(steps: readonly FunnelStep[], name: string): Promise<void> {
  const largest = Math.max(1, ...steps.map(({ count }) => count));
  const width = WIDTH - 2 * MARGIN;
  await savePicture(name, { width: WIDTH, height: 2 * MARGIN + steps.length * STEP - STEP_GAP }, (context) => {
    context.textBaseline = 'top';
    const font = getComputedStyle(document.body).fontFamily;
    for (const [place, { name, count, ofClicks }] of steps.entries()) {
      const top = MARGIN + place * STEP;
      context.font = `${TEXT}px ${font}`;
      context.fillStyle = colourOf('--text');
      context.textAlign = 'left';
      context.fillText(name, MARGIN, top);
      context.textAlign = 'right';
      context.fillText(ofClicks === '' ? exactCount(count) : `${exactCount(count)}, ${ofClicks}`, WIDTH - MARGIN, top);
      const bar = top + TEXT + TEXT_GAP;
      context.fillStyle = colourOf('--sunken');
      context.fillRect(MARGIN, bar, width, BAR);
      context.fillStyle = colourOf('--series-1');
      context.fillRect(MARGIN, bar, (width * count) / largest, BAR);
    }
  });
}
