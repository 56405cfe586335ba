import type { MessagePort } from 'node:worker_threads';
import { type Outcome, outcomeOf } from '../../threads/outcome.js';
import { ColumnCount, type ColumnsCounted } from './column-count.js';
import type { CountTask } from './column-threads.js';
import { Dictionary } from './dictionary.js';
import { PartReader } from './part-reader.js';

/** A thread that counts the clicks of columns. A task lasts until its port is closed. */
export default function work({ counted, port }: CountTask): Promise<Outcome<null>> {
  return outcomeOf(() => answerOn(port, new ColumnCount(received(counted))));
}

function answerOn(port: MessagePort, count: ColumnCount): Promise<null> {
  const parts = new PartReader((columns) => count.add(columns));
  return new Promise((resolve, reject) => {
    port.on('close', () => resolve(null));
    port.on('message', (rows: Uint8Array | null) => {
      try {
        if (rows === null) {
          const sums = count.packed();
          const arrays = sums.flatMap((packed) => [packed.sums, packed.values.bytes, packed.values.ends, packed.values.slots]);
          port.postMessage(
            sums,
            arrays.map(({ buffer }) => buffer as ArrayBuffer),
          );
          return;
        }
        const bytes = bufferOf(rows);
        for (let at = 0; at < bytes.length; ) at = parts.add(bytes, at);
        parts.end();
        port.postMessage(count.size);
      } catch (error) {
        reject(error);
        port.close();
      }
    });
  });
}

/** A message carries what a class has, and not the class. */
function received({ tagged, ...others }: ColumnsCounted): ColumnsCounted {
  if (tagged === undefined) return others;
  const { bytes, ends, hasNull } = tagged.links;
  return { ...others, tagged: { ...tagged, links: new Dictionary(bufferOf(bytes), ends, hasNull) } };
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
