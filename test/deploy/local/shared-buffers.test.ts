import t from 'tap';
import { sharedBuffersMb } from '../../../deploy/local/shared-buffers.js';

const GB = 1024 ** 3;

t.test('PostgreSQL caches with an eighth of the memory, within bounds', async (t) => {
  for (const [total, limit, mb] of [
    [8 * GB, 0, 1024],
    [8 * GB, undefined, 1024],
    [8 * GB, 2 ** 64, 1024],
    [8 * GB, 2 * GB, 256],
    [GB / 2, undefined, 128],
    [64 * GB, undefined, 2048],
  ] as const)
    t.equal(sharedBuffersMb(total, limit), mb, `${total} ${limit}`);
});
