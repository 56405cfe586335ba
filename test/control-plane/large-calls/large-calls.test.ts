import t from 'tap';
import type { ReceivedRequest } from '../../../control-plane/http/pipeline.js';
import { LargeCalls } from '../../../control-plane/large-calls/large-calls.js';
import { LARGE_CALLS_OF_KEY_BYTES_MAX } from '../../../shared/base/limits.js';
import { createLogger } from '../../../shared/base/log.js';

t.test('a key that has too many large calls running gets 429, and every key gets 503 if the bytes of all are in use', async (t) => {
  const calls = new LargeCalls({
    clock: Date.now,
    log: createLogger('test', 'silent'),
    announce: async () => {},
    databaseUrl: 'postgresql://localhost:1/none',
    secretKeys: { current: 'k1', keys: new Map([['k1', Buffer.alloc(32)]]) },
    linkUrlForm: { scheme: 'https', port: 0 },
  });
  const run = (keyId: string, bytes: number) =>
    calls.run('createLinks', { caller: { keyId } } as ReceivedRequest, new Uint8Array(new ArrayBuffer(bytes)));
  const running = [run('key_1', LARGE_CALLS_OF_KEY_BYTES_MAX).catch(() => 'ended')];
  await t.rejects(run('key_1', 1), {
    code: 'rate_limited',
    detail: 'Too many large calls are running with this key or from this address.',
  });
  running.push(run('key_2', LARGE_CALLS_OF_KEY_BYTES_MAX).catch(() => 'ended'));
  await t.rejects(run('key_3', 1), { code: 'service_unavailable', detail: 'Too many large calls are running.' });
  await calls.stop();
  t.same(await Promise.all(running), ['ended', 'ended']);
});
