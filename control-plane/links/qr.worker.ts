import { type Outcome, outcomeOf } from '../threads/outcome.js';
import { qrImage } from './qr.js';
import type { QrResult, QrTask } from './qr-thread.js';

/** The thread of QR codes. */
export default function makeImage({ text, format, size }: QrTask): Promise<Outcome<QrResult>> {
  return outcomeOf(() => qrImage(text, format, size));
}
