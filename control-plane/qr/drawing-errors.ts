import { characterCount, isStorable } from '../../shared/base/issue.js';
import { QR_FRAME_TEXT_CHARACTERS_MAX } from '../../shared/base/qr-limits.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { Refusal } from '../http/problems.js';
import { logoFault } from './logo.js';
import type { QrThread } from './qr-thread.js';
import { type Fields, type StylePlace, taskOf } from './style.js';

export interface Drawing {
  readonly place: StylePlace;
  /** The key that the drawing is counted for. */
  readonly keyId: string;
  readonly images: Pick<QrThread, 'image'>;
}

/**
 * Draws a code with the frame text and the logo of unchecked fields, and with nothing else of them. Returns the errors that only drawing
 * can find: letters that the font lacks, and a damaged logo.
 */
export async function drawingErrors({ frame_text: text, logo }: Fields, { place, keyId, images }: Drawing): Promise<readonly FieldError[]> {
  const fields = {
    ...(typeof text === 'string' && isDrawable(text) ? { frame_text: text } : {}),
    ...(typeof logo === 'string' && logoFault(logo) === null ? { logo } : {}),
  };
  if (Object.keys(fields).length === 0) return [];
  try {
    await images.image(keyId, taskOf('https://example.com/', fields, place));
    return [];
  } catch (error) {
    if (error instanceof Refusal && error.code === 'validation_failed') return error.errors ?? [];
    throw error;
  }
}

/** The schema refuses every other text, and the thread must not draw it. */
function isDrawable(text: string): boolean {
  return text !== '' && characterCount(text) <= QR_FRAME_TEXT_CHARACTERS_MAX && isStorable(text);
}
