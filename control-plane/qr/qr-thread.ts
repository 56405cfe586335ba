import type { Logger } from '../../shared/base/log.js';
import { QR_IMAGES_AT_ONCE, QR_IMAGES_MAX, QR_IMAGES_OF_KEY_MAX } from '../../shared/base/qr-limits.js';
import type { QrMediaType } from '../../shared/contract/schemas/link-qr.js';
import { Budget, tooMany } from '../http/budget.js';
import type { FileBody } from '../http/operation.js';
import { TaskThread } from '../threads/task-thread.js';
import type { QrTask } from './style.js';

export interface QrResult {
  readonly type: QrMediaType;
  readonly bytes: Uint8Array;
}

/** Draws QR codes in a thread, because many of them at the same time would delay all other calls. */
export class QrThread {
  readonly #thread: TaskThread<QrTask, QrResult>;
  readonly #budget = new Budget({ refusals: tooMany('QR codes are being made'), max: QR_IMAGES_MAX, holderMax: QR_IMAGES_OF_KEY_MAX });

  constructor(log: Logger) {
    this.#thread = new TaskThread({
      module: new URL('./qr.worker.js', import.meta.url),
      settings: null,
      tasksMax: QR_IMAGES_AT_ONCE,
      onLost: (error) => log.error({ code: 'qr_thread_ended', err: error }, 'the thread of QR codes ended'),
    });
  }

  /** Throws 429 or 503 if too many images are waiting. */
  async image(keyId: string, task: QrTask): Promise<FileBody<QrMediaType>> {
    const { type, bytes } = await this.#budget.with(keyId, weightOf(task), () => this.#thread.run(task));
    return { type, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
  }

  async stop(): Promise<void> {
    await this.#thread.stop();
  }
}

const PIXELS_OF_WEIGHT = 512 * 512;

/** The weight of the code in the budget. Pixels that are painted one by one take the most time. */
function weightOf({ format, size, dots, logo, frameText, foreground, background }: QrTask): number {
  const hasColor =
    Math.max(foreground.red, foreground.green, foreground.blue) > 0 || Math.min(background.red, background.green, background.blue) < 255;
  const isPlain = dots === 'square' && logo === null && frameText === null && !hasColor;
  return format !== 'png' || isPlain ? 1 : Math.ceil((size * size) / PIXELS_OF_WEIGHT);
}
