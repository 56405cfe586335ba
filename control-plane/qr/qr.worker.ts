import { type Outcome, outcomeOf } from '../threads/outcome.js';
import { qrImage } from './qr-image.js';
import type { QrResult } from './qr-thread.js';
import type { QrTask } from './style.js';

/** The thread of QR codes. */
export default function makeImage(task: QrTask): Promise<Outcome<QrResult>> {
  return outcomeOf(() => qrImage(task));
}
