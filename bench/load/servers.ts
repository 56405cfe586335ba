import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { redirectNodeOptions } from '../../engine/process-specs.js';
import type { ChildMessage } from '../../engine/processes/messages.js';
import { CHILD_ENVIRONMENT } from '../../engine/processes/messages.js';
import { tryPort } from '../../shared/base/free-port.js';
import { BROWSER_HEADERS, type Contender, type RunningServer } from './contender.js';
import { BENCH_HOST, FLOOR_LINKS_MAX } from './links.js';
import { endProcess, forkPinned, nextMessage } from './pinned-process.js';
import { spoolFill } from './spool-fill.js';

type Ready = ChildMessage & { readonly type: 'ready' };
const isReady = (message: unknown): message is Ready => (message as Ready | null)?.type === 'ready';

/** A port of this machine that is free at the moment. */
export async function freePort(): Promise<number> {
  const binding = await tryPort('127.0.0.1', 0);
  if (binding.taken) throw new Error(`no port could be had: ${binding.reason}`);
  return binding.port;
}

async function serve(child: ChildProcess, invalid: () => string | null): Promise<RunningServer> {
  const { port } = await nextMessage(child, isReady);
  return { pids: [child.pid as number], port, invalid, stop: () => endProcess(child) };
}

/** A Node.js module that reports its port once it listens. */
export function nodeProcessContender({
  entry,
  environment = {},
  ...names
}: Pick<Contender, 'key' | 'name'> & { readonly entry: string; readonly environment?: NodeJS.ProcessEnv }): Contender {
  return {
    ...names,
    headers: { ...BROWSER_HEADERS, host: BENCH_HOST },
    start: (core) => serve(forkPinned(core, entry, { ...process.env, ...environment }), () => null),
  };
}

const BARE = { key: 'bare', name: 'bare uWebSockets.js', entry: fileURLToPath(new URL('./bare-server.js', import.meta.url)) };

/** A constant 302, with nothing looked up and nothing stored: what HTTP alone costs. */
export function bareContender(): Contender {
  return nodeProcessContender(BARE);
}

/**
 * The server that every redirect is compared with: the same links, and each visit without all that can be left out. The
 * address comes from a header.
 */
export function floorContender(links: number): Contender {
  const contender = nodeProcessContender({
    key: 'floor',
    name: 'floor',
    entry: fileURLToPath(new URL('../floor/floor-server.js', import.meta.url)),
    environment: { FLOOR_LINKS: String(Math.min(links, FLOOR_LINKS_MAX)) },
  });
  return { ...contender, headers: { ...contender.headers, ...FORWARDED } };
}

/** What a proxy in front adds. */
const FORWARDED = { 'x-forwarded-for': '203.0.113.77' } as const;

/** Headers as a preview bot sends them. */
export const BOT_HEADERS = {
  'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  accept: '*/*',
  'accept-encoding': 'gzip,deflate',
  host: BENCH_HOST,
} as const;

/** The bare server with a constant page of this many bytes and the headers of a card. */
export function bareCardContender(bytes: number): Contender {
  return { ...nodeProcessContender({ ...BARE, environment: { BARE_CARD_BYTES: String(bytes) } }), headers: BOT_HEADERS, status: 200 };
}

/** Room for the clicks of one bench, because nobody ships them here. */
const SPOOL_BYTES_MAX = 6 * 1024 ** 3;

export interface RedirectOptions {
  readonly key: string;
  readonly name: string;
  readonly dataDir: string;
  readonly slot: number;
  /** Whether to take the client's address from X-Forwarded-For instead of the socket. */
  readonly trustedHeader: boolean;
  readonly paths?: readonly string[];
  /** Two processes share one port; one process if absent. Slots are counted from `slot`. */
  readonly processes?: 1 | 2;
  /** The module to run; this checkout's if absent. */
  readonly entry?: string;
}

/** The engine's own redirect processes, started as by the supervisor, over a store that was written beforehand. */
export function redirectContender({ key, name, dataDir, slot, trustedHeader, ...options }: RedirectOptions): Contender {
  const { paths, processes = 1, entry = fileURLToPath(new URL('../../engine/redirect.js', import.meta.url)) } = options;
  const environment = {
    ...process.env,
    NODE_OPTIONS: redirectNodeOptions(process.env.NODE_OPTIONS),
    ENGINE_HOST: '127.0.0.1',
    ENGINE_LISTENER: 'uws',
    DATA_DIR: dataDir,
    SPOOL_BYTES_MAX: String(SPOOL_BYTES_MAX),
    TRUSTED_PROXY_HOPS: trustedHeader ? '1' : '0',
    // Every requested path is in the store. A port on which nothing listens keeps a mistake from going unnoticed.
    DATABASE_URL: 'postgres://127.0.0.1:9/none',
    SECRETS_KEYS: `bench:${Buffer.alloc(32).toString('base64')}`,
    LOG_LEVEL: 'error',
  };
  const invalid = (): string | null =>
    spoolFill(dataDir) > 0.9 * SPOOL_BYTES_MAX ? 'the spool ran full and clicks were dropped; use fewer seconds or rounds' : null;
  const startOne = (core: number | null, port: number, childSlot: number): Promise<RunningServer> =>
    serve(forkPinned(core, entry, { ...environment, ENGINE_PORT: String(port), [CHILD_ENVIRONMENT.slot]: String(childSlot) }), invalid);
  return {
    key,
    name,
    ...(paths === undefined ? {} : { paths }),
    headers: { ...BROWSER_HEADERS, host: BENCH_HOST, ...(trustedHeader ? FORWARDED : {}) },
    async start(core) {
      if (processes === 1) return startOne(core, 0, slot);
      // A port that was requested as 0 is not shared (uWebSockets.js sets SO_REUSEPORT only on others).
      const first = await startOne(core, await freePort(), slot);
      const second = await startOne(core, first.port, slot + 1);
      const stop = async (): Promise<void> => void (await Promise.all([first.stop(), second.stop()]));
      return { pids: [...first.pids, ...second.pids], port: first.port, invalid, stop };
    },
  };
}
