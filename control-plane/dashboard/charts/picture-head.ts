import { colourOf } from './save-picture.js';
import type { Series } from './series.js';

/** The title, lines and legend above a picture, for people who receive the picture and see nothing else of the page. */
export interface PictureHead {
  readonly title: string;
  /** The days and the filters, for example, one per line. */
  readonly lines: readonly string[];
  /** The names of a chart's lines. */
  readonly legend?: readonly Pick<Series, 'label' | 'colour' | 'dashed'>[];
}

interface Place {
  readonly left: number;
  readonly top: number;
  /** Height of the letters, in pixels. */
  readonly textPixels: number;
}

/** Height of a line of text, as a multiple of the height of its letters. */
const LINE = 1.5;
const TITLE = 1.25;
/** Length of the sample of a chart's line, as a multiple of the height of the letters. */
const SAMPLE = 1.6;
const GAP = 0.5;

export function headHeight({ lines, legend }: PictureHead, textPixels: number): number {
  return Math.round(textPixels * (LINE * (TITLE + lines.length + (legend === undefined ? 0 : 1)) + 1));
}

export function drawHead(
  context: CanvasRenderingContext2D,
  { title, lines, legend = [] }: PictureHead,
  { left, top, textPixels }: Place,
): void {
  const font = getComputedStyle(document.body).fontFamily;
  context.textBaseline = 'top';
  context.textAlign = 'left';
  const width = context.canvas.width - 2 * left;
  context.font = `600 ${textPixels * TITLE}px ${font}`;
  context.fillStyle = colourOf('--text');
  context.fillText(title, left, top, width);
  context.font = `${textPixels}px ${font}`;
  context.fillStyle = colourOf('--muted');
  let below = top + textPixels * LINE * TITLE;
  for (const line of lines) {
    context.fillText(line, left, below, width);
    below += textPixels * LINE;
  }
  let across = left;
  for (const { label, colour, dashed = false } of legend) {
    context.strokeStyle = colourOf(`--series-${colour}`);
    context.lineWidth = textPixels / 6;
    context.setLineDash(dashed ? [textPixels / 3, textPixels / 4] : []);
    context.beginPath();
    context.moveTo(across, below + textPixels / 2);
    context.lineTo(across + textPixels * SAMPLE, below + textPixels / 2);
    context.stroke();
    context.setLineDash([]);
    across += textPixels * (SAMPLE + GAP);
    context.fillText(label, across, below);
    across += context.measureText(label).width + textPixels * SAMPLE;
  }
}
