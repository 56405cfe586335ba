import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { getJson, SourceError } from '../../../../control-plane/imports/sources/source-api.js';

type Answer = readonly [status: number, retryAfter?: string | undefined, body?: string];

/** A service that answers the requests with these statuses in turn, and repeats the last one. */
async function service(t: Test, answers: readonly Answer[]): Promise<string> {
  let asked = 0;
  const server = createServer((_, response) => {
    const [status, retryAfter, body = '{"asked":true,"id":9007199254740993}'] = answers[Math.min(asked++, answers.length - 1)] as Answer;
    response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

t.test('a request waits as long as Retry-After says, up to 15 minutes, and the wait can be interrupted', async (t) => {
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();
  for (const [retryAfter, least, most] of [
    ['120', 120, 120],
    ['86400', 900, 900],
    [inSeconds(300), 290, 300],
    [inSeconds(86_400), 900, 900],
    // Dub writes the time at which its limit is reset, in milliseconds since 1970.
    [String(Date.now() + 300_000), 290, 300],
    [String(Math.floor(Date.now() / 1000) + 300), 290, 300],
  ] as const) {
    const url = await service(t, [[429, retryAfter]]);
    const interrupted = new AbortController();
    const noted: { reason: string; seconds: number }[] = [];
    const onWait = (reason: string, ms: number) => {
      noted.push({ reason, seconds: ms / 1000 });
      interrupted.abort();
    };
    const answer = getJson(url, { headers: {}, interrupted: interrupted.signal, onWait }).catch((error: unknown) => error);
    t.match(await Promise.race([answer, sleep(3_000, 'it waits')]), { name: 'AbortError' }, retryAfter);
    const [{ reason, seconds } = { reason: '', seconds: 0 }] = noted;
    t.match(reason, /^127\.0\.0\.1:\d+ answers 429$/);
    t.ok(least <= seconds && seconds <= most, `${retryAfter}: ${seconds} s`);
  }
});

t.test('short and past waits are not reported, and a refusal throws an error with its status', async (t) => {
  const request = { headers: {}, interrupted: new AbortController().signal, onWait: () => t.fail('a wait was reported') };
  const past = new Date(0).toUTCString();
  const url = await service(t, [[429, past], [503, '0'], [429, 'soon'], [200]]);
  t.same(await getJson(url, request), { asked: true, id: Number.NaN }, 'a number that cannot be represented exactly is NaN');
  const refusing = await service(t, [[410]]);
  const error: unknown = await getJson(refusing, request).catch((error: unknown) => error);
  t.ok(error instanceof SourceError && error.status === 410);
});

t.test('a Retry-After of 0 does not use up the attempts at once', async (t) => {
  const start = performance.now();
  const url = await service(t, [[429, '0'], [429, '0'], [200]]);
  t.match(await getJson(url, { headers: {}, interrupted: new AbortController().signal }), { asked: true });
  t.ok(performance.now() - start >= 2_900, 'it waits one second, then two');
});

t.test('a JSON body that was cut off is requested again, and a page of another kind is not', async (t) => {
  const request = { headers: {}, interrupted: new AbortController().signal };
  const cut = await service(t, [[200, undefined, ' [{"id":'], [200]]);
  t.match(await getJson(cut, request), { asked: true });
  const page = await service(t, [[200, undefined, '<html></html>'], [200]]);
  await t.rejects(getJson(page, request), { message: /does not return JSON; check the address$/ });
});
