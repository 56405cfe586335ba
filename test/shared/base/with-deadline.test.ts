import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { withDeadline } from '../../../shared/base/with-deadline.js';
import { collectGarbageOften } from '../../support/collect-garbage-often.js';
import { serveHttp } from '../../support/serve-http.js';

const never = (signal: AbortSignal) => sleep(10_000, undefined, { signal });

t.test('the result of work that ends in time, and its error', async (t) => {
  const { signal } = new AbortController();
  t.equal(await withDeadline(10_000, signal, async () => 'done'), 'done');
  await t.rejects(
    withDeadline(10_000, signal, () => Promise.reject(new Error('failed'))),
    { message: 'failed' },
  );
});

t.test('work that takes too long or is interrupted ends; after an interruption it does not begin', async (t) => {
  await t.rejects(
    withDeadline(20, new AbortController().signal, (signal) =>
      never(signal).catch(() => {
        throw signal.reason;
      }),
    ),
    { name: 'TimeoutError', message: 'no answer within 0.02 seconds' },
  );
  const interruption = new AbortController();
  const interrupted = withDeadline(10_000, interruption.signal, never);
  interruption.abort(new Error('enough'));
  await t.rejects(interrupted, { name: 'AbortError', cause: { message: 'enough' } });
  let began = false;
  const late = withDeadline(10_000, interruption.signal, async () => {
    began = true;
  });
  await t.rejects(late, { message: 'enough' });
  t.notOk(began);
});

t.test('a server that does not answer, or only half, is given up in time whenever garbage is collected', { timeout: 30_000 }, async (t) => {
  const { origin } = await serveHttp(t, ({ url }, response) => {
    if (url === '/half') response.writeHead(200).write('{');
  });
  collectGarbageOften(t);
  const interruption = new AbortController();
  const ask = (path: string, timeoutMs: number) =>
    withDeadline(timeoutMs, interruption.signal, async (signal) => (await fetch(origin + path, { signal, redirect: 'manual' })).text());
  for (const path of ['/none', '/half']) await t.rejects(ask(path, 300), { name: 'TimeoutError' });
  const asked = ['/none', '/half'].map((path) => ask(path, 60_000));
  setTimeout(() => interruption.abort(), 300);
  for (const answer of asked) await t.rejects(answer, { name: 'AbortError' });
});
