import { QR_TYPES, type QrMediaType } from '../../shared/contract/schemas/link-qr.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import type { FileBody } from '../http/operation.js';
import { fieldError, refuseFields } from '../http/problems.js';
import { layoutOf } from './layout.js';
import { missingLetters } from './lettering.js';
import { readLogo } from './logo.js';
import { pdfOf } from './pdf.js';
import { modulePixels, pngOf } from './png.js';
import type { QrTask } from './style.js';
import { svgOf } from './svg.js';
import { symbolOf } from './symbol.js';

/**
 * Draws the QR code. Throws 422 for a damaged logo and for letters that cannot be drawn, for both together, and for a PNG with too few
 * pixels, which the layout shows.
 */
export async function qrImage(task: QrTask): Promise<FileBody<QrMediaType>> {
  const logo = task.logo === null ? null : readLogo(task.logo);
  const errors = [...(logo === null ? logoErrors(task) : []), ...letterErrors(task)];
  if (errors.length > 0) throw refuseFields(errors);
  const symbol = symbolOf(task.text, task.errorCorrection, task.dots, logo !== null);
  const layout = layoutOf(symbol, { ...task, logo });
  if (task.format === 'png' && modulePixels(layout, task.size) < 1)
    throw refuseFields([
      fieldError(
        task.place.in,
        `${task.place.parent}/size`,
        'too_small',
        `must be at least ${layout.width}, which is one pixel per module`,
      ),
    ]);
  const type = QR_TYPES[task.format];
  switch (task.format) {
    case 'svg':
      return { type, bytes: Buffer.from(svgOf(layout, task.size)) };
    case 'png':
      return { type, bytes: await pngOf(layout, task.size) };
    case 'pdf':
      return { type, bytes: await pdfOf(layout, task.size) };
  }
}

/** The errors of a logo that could not be read. */
function logoErrors({ logo, place }: QrTask): readonly FieldError[] {
  if (logo === null) return [];
  return [fieldError(place.in, `${place.parent}/logo`, 'invalid_value', 'must be a complete PNG: this one is damaged')];
}

function letterErrors({ frameText, place }: QrTask): readonly FieldError[] {
  const missing = frameText === null ? [] : missingLetters(frameText);
  if (missing.length === 0) return [];
  const detail = `must contain only Latin, Greek or Cyrillic letters, digits and punctuation, and not ${missing.join(' ')}`;
  return [fieldError(place.in, `${place.parent}/frame_text`, 'invalid_value', detail)];
}
