import t from 'tap';
import { QrThread } from '../../../control-plane/qr/qr-thread.js';
import { taskOf } from '../../../control-plane/qr/style.js';
import { createLogger } from '../../../shared/base/log.js';
import { QR_IMAGES_OF_KEY_MAX } from '../../../shared/base/qr-limits.js';

t.test('a key that has too many codes made at once gets 429, and every key gets 503 if all places are in use', async (t) => {
  const thread = new QrThread(createLogger('test', 'silent'));
  const task = taskOf('https://example.com', { format: 'png', size: 2048, dots: 'dots' }, { in: 'body', parent: '' });
  const begin = (key: string) => Array.from({ length: QR_IMAGES_OF_KEY_MAX / 16 }, () => thread.image(key, task));
  const images = begin('key_1');
  await t.rejects(thread.image('key_1', task), {
    code: 'rate_limited',
    detail: 'Too many QR codes are being made with this key or from this address.',
  });
  images.push(...begin('key_2'));
  await t.rejects(thread.image('key_3', task), { code: 'service_unavailable', detail: 'Too many QR codes are being made.' });
  await Promise.all(images);
  await thread.stop();
});
