import { createHash } from 'node:crypto';
import { Agent, type ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import type { Test } from 'tap';
import type { ResourceStats } from '../../shared/contract/schemas/resources.js';
import { callMetadataApi, compileMetadataApi } from '../../shared/metadata/call.js';
import { checkConfiguration } from '../../shared/metadata/configuration-rules.js';
import { OutboundClient } from '../../shared/net/bounded-request.js';
import { type CustomerCall, startCustomerApi } from '../support/customer-api.js';
import { askCard, askCards, makePreviewedType, type PreviewedType } from '../support/preview-bots.js';
import { createCountedLink, type Stack, startStack } from '../support/stack.js';
import { p99, startTimedVisitors } from '../support/timed-visitors.js';
import { until } from '../support/until.js';
import { createVisitor, DESKTOP } from '../support/visitor.js';

/** What previews survive. Each scenario is a function with its length as a parameter; see `scenarios.ts`. */

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** The title of a card without content: the project's name. */
const GENERIC = 'demo';
const FIELDS = { title: 'name' };
/** After this many rounds the code is compiled and the client's pools have their final size. */
const WARM_UPS = 5;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function figuresOf(stack: Stack, key: string): Promise<ResourceStats['types'][number]> {
  const { body } = await stack.controlPlane.call<ResourceStats>(stack.project, 'GET', '/resources/stats');
  const found = body.types.find(({ resource_type }) => resource_type === key);
  if (found === undefined) throw new Error(`no figures of ${key}`);
  return found;
}

async function untilLive(stack: Stack, { key }: PreviewedType, item = 'first'): Promise<void> {
  await until(async () => (await askCard(stack, `/${key}/${item}`)).title === item, `cards of ${key}`);
}

function answerItem(path: string, response: ServerResponse): void {
  response.end(JSON.stringify({ name: path.split('/').at(-1) }));
}

/** The largest number of calls in any 60 seconds. */
function mostInAMinute(calls: readonly CustomerCall[]): number {
  let most = 0;
  let first = 0;
  for (const [last, { at }] of calls.entries()) {
    while ((calls[first]?.at ?? at) <= at - 60_000) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

/** Asks for more distinct items than the API permits, while the process that calls the API and one that asks are killed. */
export async function limitsHold(
  t: Test,
  {
    items,
    forMs,
    kills,
    ...limits
  }: { items: number; forMs: number; kills: number; max_concurrency: number; max_requests_per_minute: number },
): Promise<void> {
  let underWay = 0;
  let mostUnderWay = 0;
  const api = await startCustomerApi(t, (path, response) => {
    underWay++;
    mostUnderWay = Math.max(mostUnderWay, underWay);
    response.on('close', () => underWay--);
    setTimeout(() => answerItem(path, response), 5 + (api.calls.length % 8) * 10);
  });
  const stack = await startStack(t, { environment: { OUTBOUND_ALLOW: api.origin } });
  const type = await makePreviewedType(stack, 'stock', {
    url_template: `${api.origin}/stock/{id}`,
    field_mapping: FIELDS,
    timeout_ms: 500,
    ...limits,
  });
  await untilLive(stack, type);
  const killing = (async () => {
    for (let kill = 0; kill < kills; kill++) {
      await sleep(forMs / (kills + 1));
      const name = kill % 2 === 0 ? 'background' : 'redirect-0';
      await until(() => stack.engine.killProcess(name), `a process ${name}`);
    }
  })();
  const slices = 100;
  let asked = 0;
  for (let slice = 0; slice < slices; slice++) {
    const endsAt = performance.now() + forMs / slices;
    const paths = Array.from({ length: items / slices }, () => `/${type.key}/item${asked++}`);
    // Bots of a killed process get no answer.
    await Promise.allSettled([askCards(stack, paths, 40)]);
    await sleep(Math.max(0, endsAt - performance.now()));
  }
  await killing;
  const most = mostInAMinute(api.calls);
  t.comment(`${api.calls.length} calls for ${asked} items; ${most} in the fullest minute, ${mostUnderWay} at once at most`);
  t.ok(mostUnderWay <= limits.max_concurrency, `${mostUnderWay} calls at once`);
  t.ok(most <= limits.max_requests_per_minute, `${most} calls in a minute`);
  t.ok(most >= limits.max_requests_per_minute / 2, 'at least half of the permitted calls are made');
}

/** An API fails while items are cached: stale cards are shown to their end, then generic ones, with hardly any call meanwhile. */
export async function apiAway(t: Test): Promise<void> {
  let away = false;
  const api = await startCustomerApi(t, (path, response) => {
    if (away) response.writeHead(503).end();
    else answerItem(path, response);
  });
  const stack = await startStack(t, { environment: { OUTBOUND_ALLOW: api.origin } });
  const [ttl_seconds, stale_if_error_seconds] = [10, 30];
  const configuration = { url_template: `${api.origin}/{type}/{id}`, field_mapping: FIELDS, ttl_seconds, stale_if_error_seconds };
  const type = await makePreviewedType(stack, 'stock', configuration);
  await untilLive(stack, type);
  const fetchedAt = api.calls.at(-1)?.at ?? 0;
  await askCard(stack, '/stock/first');
  away = true;
  const firstFailure = api.calls.length;
  const endsMs = (ttl_seconds + stale_if_error_seconds) * 1000;
  let lastShownMs = 0;
  let firstGenericMs = Number.POSITIVE_INFINITY;
  for (let n = 0; performance.now() < fetchedAt + endsMs + 3000; n++) {
    const askedAt = performance.now();
    const { title } = await askCard(stack, '/stock/first');
    if (title === 'first') lastShownMs = performance.now() - fetchedAt;
    else firstGenericMs = Math.min(firstGenericMs, askedAt - fetchedAt);
    if (title !== 'first' && title !== GENERIC) t.fail(title);
    if (n % 10 === 0 && (await askCard(stack, `/stock/cold${n}`)).title !== GENERIC) t.fail(`cold${n}`);
    await sleep(50);
  }
  const failures = api.calls.slice(firstFailure).map(({ at }) => at);
  const openedAt = failures[4] ?? 0;
  const probes = failures.slice(5).map((at) => Math.round(at - openedAt));
  t.comment(
    `last stale card after ${Math.round(lastShownMs)} ms, first generic one after ${Math.round(firstGenericMs)}; probes at ${probes}`,
  );
  t.ok(lastShownMs > endsMs - 1000 && lastShownMs < endsMs + 1000, 'the stale card is shown until its end');
  t.ok(firstGenericMs > endsMs - 1000 && firstGenericMs >= lastShownMs - 1000, 'the generic card is shown after that');
  t.ok(failures.length <= 7, `${failures.length} calls: five, then a probe after 10 s and one 20 s later`);
  t.ok((probes[0] ?? 0) >= 9900 && (probes[1] ?? 30_000) >= 29_800, `${probes}`);
  const { metadata_api } = await until(async () => {
    const figures = await figuresOf(stack, 'stock');
    return figures.metadata_api.errors >= failures.length && figures;
  }, 'the statistics to count the failures');
  t.equal(metadata_api.errors, failures.length);
  t.ok(metadata_api.breaker_open > 0);
}

/** The answers of hostile APIs. Each counts as no more than one failure or one unusable answer. */
function hostileAnswers(elsewhere: string): Readonly<Record<string, (response: ServerResponse) => void>> {
  const block = Buffer.alloc(64 * 1024, 0x20);
  // 200 MB in 208 KB, which is less than may be read: concatenated members form one gzip file (RFC 1952, 2.2).
  const bomb = Buffer.concat(Array<Buffer>(200).fill(gzipSync(Buffer.alloc(1024 ** 2, 0x20))));
  return {
    endless(response) {
      let left = 1024 ** 3;
      const more = () => {
        while (left > 0) {
          left -= block.length;
          if (!response.write(block)) return;
        }
        response.end();
      };
      response.on('drain', more);
      more();
    },
    bomb: (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    drip(response) {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    },
    silent: () => undefined,
    headers(response) {
      for (let n = 0; n < 10_000; n++) response.setHeader(`x-header-${n}`, 'value');
      response.end('{}');
    },
    garbage: (response) => response.socket?.end(createHash('sha512').update('no HTTP').digest()),
    redirect: (response) => response.writeHead(302, { location: `${elsewhere}/secret` }).end(),
    deep: (response) => response.end(`${'{"a":'.repeat(40_000)}"x"${'}'.repeat(40_000)}`),
  };
}

export interface HostileApi {
  readonly origin: string;
  readonly kinds: readonly string[];
  readonly calls: readonly CustomerCall[];
  /** The calls that a redirect caused. */
  readonly strayed: readonly CustomerCall[];
}

/** Starts all of them at one origin: `/<kind>/<item>`. */
export async function startHostileApi(t: Test): Promise<HostileApi> {
  const elsewhere = await startCustomerApi(t, answerItem);
  const answers = hostileAnswers(elsewhere.origin);
  const { origin, calls } = await startCustomerApi(t, (path, response) => answers[path.split('/')[1] ?? '']?.(response));
  return { origin, kinds: Object.keys(answers), calls, strayed: elsewhere.calls };
}

/** Only answers that stall must end by the timeout. All others end by themselves, even on a slow machine. */
const STALLING: ReadonlySet<string> = new Set(['drip', 'silent']);
const TIMEOUT_MS = 5000;

function timeoutOf(kind: string, stallingMs: number): number {
  return STALLING.has(kind) ? stallingMs : TIMEOUT_MS;
}

/** A breaker stays closed after this many failures in a row. */
const ROUNDS_OF_A_CONFIGURATION = 4;

/** Calls every hostile API at once, again and again: bots wait no longer than permitted, and are shown the generic card. */
export async function hostileApis(t: Test, stack: Stack, api: HostileApi, rounds: number): Promise<void> {
  const types: PreviewedType[] = [];
  for (const kind of api.kinds)
    types.push(
      await makePreviewedType(stack, kind, {
        url_template: `${api.origin}/{type}/{id}`,
        field_mapping: FIELDS,
        timeout_ms: timeoutOf(kind, 500),
      }),
    );
  const pid = (await stack.engine.pids()).get('background') as number;
  const callsOf = (key: string) => api.calls.filter(({ path }) => path.startsWith(`/${key}/`)).length;
  let slowestMs = 0;
  let asked = 0;
  for (let round = 0; round < rounds; round++) {
    // A changed configuration begins with a closed breaker.
    if (round > 0 && round % ROUNDS_OF_A_CONFIGURATION === 0)
      for (const { id, configuration } of types)
        await stack.controlPlane.call(stack.project, 'PUT', `/resource-types/${id}/metadata-api`, configuration);
    const asks = types.map(({ key }) =>
      // Until the type and its configuration are known, bots are answered without a call.
      until(async () => {
        const before = callsOf(key);
        const askedAt = performance.now();
        const { status, title } = await askCard(stack, `/${key}/item${asked++}`);
        if (status === 200 && title !== GENERIC) t.fail(`${key}: ${title}`);
        slowestMs = Math.max(slowestMs, performance.now() - askedAt);
        return callsOf(key) > before;
      }, `a call of ${key}`),
    );
    await Promise.all(asks);
  }
  const outcomes = await until(async () => {
    const all = await Promise.all(types.map(async ({ key }) => [key, (await figuresOf(stack, key)).metadata_api] as const));
    return all.every(([, { calls }]) => calls >= rounds) && Object.fromEntries(all);
  }, 'the statistics to count the calls to every kind of API');
  t.comment(`the slowest of ${asked} bots waited ${Math.round(slowestMs)} ms`);
  for (const kind of ['endless', 'bomb']) t.ok((outcomes[kind]?.invalid ?? 0) > 0, kind);
  for (const kind of ['drip', 'silent']) t.ok((outcomes[kind]?.timeouts ?? 0) > 0, kind);
  for (const kind of ['headers', 'garbage', 'redirect']) t.ok((outcomes[kind]?.errors ?? 0) > 0, kind);
  t.ok(slowestMs < TIMEOUT_MS, `${Math.round(slowestMs)} ms`);
  t.equal(api.strayed.length, 0, 'no redirect of an API is followed');
  t.equal((await stack.engine.pids()).get('background'), pid, 'background was not restarted');
}

/** The number of bytes in use in this process. */
function usedBytes(): number {
  collectGarbage();
  // Frees what the first collection only found.
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Checks that the client with which engines call, here in this process, retains nothing of hostile answers. */
export async function hostileAnswersLeaveNothing(t: Test, api: HostileApi, rounds: number): Promise<void> {
  const client = new OutboundClient({ allow: [api.origin] });
  t.teardown(() => client.close());
  const defaults = { url_template: `${api.origin}/{type}/{id}`, field_mapping: FIELDS };
  const checked = checkConfiguration(defaults, { allow: [api.origin], stored: null });
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues));
  const compiled = api.kinds.map((type) => {
    const configuration = { ...checked.value.configuration, timeout_ms: timeoutOf(type, 100) };
    return compileMetadataApi(configuration, { type, service_name: 'Service', credential: null });
  });
  const callAll = async (round: number) => {
    const calls = await Promise.all(compiled.map((one) => callMetadataApi(one, String(round), client, async () => new Set())));
    return calls.map(({ answer }) => answer.reason);
  };
  for (let round = 0; round < WARM_UPS; round++) await callAll(round);
  const before = usedBytes();
  let reasons: readonly unknown[] = [];
  for (let round = 0; round < rounds; round++) reasons = await callAll(WARM_UPS + round);
  const grownBytes = usedBytes() - before;
  t.comment(`${grownBytes} bytes more after ${rounds} answers of each kind`);
  t.ok(grownBytes < 5 * 1024 ** 2, `memory grew by ${grownBytes} bytes`);
  t.strictSame(Object.fromEntries(api.kinds.map((kind, at) => [kind, reasons[at]])), {
    endless: 'too_large',
    bomb: 'not_json',
    drip: 'timeout',
    silent: 'timeout',
    headers: 'connect',
    garbage: 'connect',
    redirect: 'redirect',
    deep: null,
  });
}

/** Bots wait for an API that never answers, and visitors are answered meanwhile. */
export async function visitorsPassBots(t: Test, stack: Stack, api: HostileApi, bots: number): Promise<void> {
  const link = await createCountedLink(stack);
  const configuration = { url_template: `${api.origin}/silent/{id}`, field_mapping: FIELDS, timeout_ms: 5000 };
  const { key } = await makePreviewedType(stack, 'hung', configuration);
  const agent = new Agent({ keepAlive: true });
  const waiting = new Set<Promise<unknown>>();
  let asked = 0;
  const ask = () => {
    const bot = askCard(stack, `/${key}/item${asked++}`, { agent }).finally(() => waiting.delete(bot));
    bot.catch(() => undefined); // their connections are closed at the end
    waiting.add(bot);
  };
  // Until both processes know the type, bots are answered at once.
  let full = 0;
  await until(() => {
    full = waiting.size === bots ? full + 1 : 0;
    while (waiting.size < bots) ask();
    return full === 10;
  }, 'all bots to wait');
  const visitor = createVisitor(stack.engine.port, stack.project.linkHost);
  for (let visit = 0; visit < 20; visit++) t.equal((await visitor.visit(`/${link.path}`)).status, 302);
  t.ok(waiting.size > bots / 2, `${waiting.size} bots still wait`);
  visitor.close();
  agent.destroy();
  await Promise.allSettled([...waiting]);
}

/** The number of bots, each of which pauses after an answer. */
const BOTS = 50;
const BOT_PAUSE_MS = 1000;

/** The 99th percentile of the waits of visitors, in milliseconds. */
export interface VisitorWaits {
  readonly alone: number;
  /** Beside bots that request items of an API that answers at once. */
  readonly besideAnswered: number;
  /** Beside as many bots that request items of an API that never answers. */
  readonly besideHung: number;
}

/**
 * Bots request items of an API while visitors come (promise R2). The visitors leave the machine half idle, because a fully busy
 * machine is slower beside any load. The situations alternate every few seconds, and all visits of one situation are taken
 * together, so that drift affects all of them alike.
 */
export async function visitorsBesideBots(t: Test, { rounds, roundMs }: { rounds: number; roundMs: number }): Promise<VisitorWaits> {
  const api = await startCustomerApi(t, (path, response) => {
    if (!path.startsWith('/hung/')) answerItem(path, response);
  });
  const stack = await startStack(t, { environment: { OUTBOUND_ALLOW: api.origin } });
  const { path } = await createCountedLink(stack);
  const typeOf = (key: string) =>
    makePreviewedType(stack, key, {
      url_template: `${api.origin}/{type}/{id}`,
      field_mapping: FIELDS,
      max_requests_per_minute: 100 * BOTS,
    });
  const [answered, hung] = [await typeOf('answered'), await typeOf('hung')];
  await untilLive(stack, answered);
  await until(async () => {
    await askCard(stack, '/hung/first');
    return api.calls.some(({ path }) => path === '/hung/first');
  }, 'a call of the API that never answers');
  const visitors = startTimedVisitors(t, {
    ...{ port: stack.engine.port, host: stack.project.linkHost, path, user_agent: DESKTOP, visitors: 8, pause_ms: 4 },
  });
  let asked = 0;
  const besideBotsOf = async ({ id, key, configuration }: PreviewedType): Promise<readonly number[]> => {
    // A changed configuration begins with a closed breaker, so that bots wait again.
    await stack.controlPlane.call(stack.project, 'PUT', `/resource-types/${id}/metadata-api`, configuration);
    const agent = new Agent({ keepAlive: true });
    let over = false;
    const bots = Array.from({ length: BOTS }, async (_, bot) => {
      await sleep((bot * BOT_PAUSE_MS) / BOTS);
      for (; !over; await sleep(BOT_PAUSE_MS)) {
        const item = `item${asked++}`;
        const { title } = await askCard(stack, `/${key}/${item}`, { agent });
        if (title !== (key === 'hung' ? GENERIC : item)) t.fail(`${key}: ${title}`);
      }
    });
    const times = await visitors.timesOf(roundMs);
    over = true;
    await Promise.all(bots);
    agent.destroy();
    return times;
  };
  await besideBotsOf(answered); // compiles what is compiled on first use
  const times = { alone: [] as number[], besideAnswered: [] as number[], besideHung: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.alone.push(...(await visitors.timesOf(roundMs)));
    times.besideAnswered.push(...(await besideBotsOf(answered)));
    times.besideHung.push(...(await besideBotsOf(hung)));
  }
  return { alone: p99(times.alone), besideAnswered: p99(times.besideAnswered), besideHung: p99(times.besideHung) };
}
