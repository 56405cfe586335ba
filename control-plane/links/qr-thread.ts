import { QR_IMAGES_AT_ONCE, QR_IMAGES_MAX, QR_IMAGES_OF_KEY_MAX } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import type { QR_TYPES, QrFormat } from '../../shared/contract/schemas/link-qr.js';
import { Budget } from '../http/budget.js';
import type { FileBody } from '../http/operation.js';
import { TaskThread } from '../threads/task-thread.js';

/** The QR code to make. */
export interface QrTask {
  readonly text: string;
  readonly format: QrFormat;
  /** In pixels. */
  readonly size: number;
}

export interface QrResult {
  readonly type: (typeof QR_TYPES)[QrFormat];
  readonly bytes: Uint8Array;
}

/** Makes QR codes in a thread: those that are asked for at once would hold up all other calls one after the other. */
export class QrThread {
  readonly #thread: TaskThread<QrTask, QrResult>;
  readonly #budget = new Budget({ what: 'QR codes are being made', max: QR_IMAGES_MAX, holderMax: QR_IMAGES_OF_KEY_MAX });

  constructor(log: Logger) {
    this.#thread = new TaskThread({
      module: new URL('./qr.worker.js', import.meta.url),
      settings: null,
      tasksMax: QR_IMAGES_AT_ONCE,
      onLost: (error) => log.error({ err: error }, 'the thread of QR codes ended'),
    });
  }

  /** Throws 429 and 503 where too many images wait. */
  async image(keyId: string, task: QrTask): Promise<FileBody<(typeof QR_TYPES)[QrFormat]>> {
    const { type, bytes } = await this.#budget.with(keyId, 1, () => this.#thread.run(task));
    return { type, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
  }

  async stop(): Promise<void> {
    await this.#thread.stop();
  }
}
