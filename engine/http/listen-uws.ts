import type { App, HttpRequest, HttpResponse, SSLApp, TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { VISIT_HEAD_BYTES_MAX } from '../../shared/base/limits.js';
import type { Logger } from '../../shared/base/log.js';
import { beginFacts, headerReader, type Method, newFacts } from './facts.js';
import type { Listener, ListenOptions } from './listener.js';
import { judgeOwnBinary } from './uws-binary.js';

/** The few functions of the module that are used. */
export interface Uws {
  readonly App: typeof App;
  readonly SSLApp: typeof SSLApp;
  readonly us_listen_socket_close: (socket: us_listen_socket) => void;
  readonly us_socket_local_port: (socket: never) => number;
  /** Settings that the authors do not document; undefined in versions that have none. */
  readonly _cfg?: (setting: string) => void;
}

/**
 * Loads uWebSockets.js. Returns null, with a line in the log, if this system has no binary or one that must not be loaded. The
 * limit for a request's head is read when the module loads.
 */
export async function loadUws(log: Logger): Promise<Uws | null> {
  process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(VISIT_HEAD_BYTES_MAX);
  try {
    const { fault, note } = judgeOwnBinary();
    if (fault !== '') {
      log.error({ code: 'uws_not_loaded', fault }, 'uWebSockets.js is not loaded; node:http serves the link hosts');
      return null;
    }
    if (note !== '') log.warn({ code: 'uws_not_compared', note }, 'uWebSockets.js is loaded without a check of its binary');
    const uws = (await import('uWebSockets.js')) as unknown as Uws;
    // Leaves out the header `uWebSockets: 20`, which would help only attackers.
    uws._cfg?.('silent');
    return uws;
  } catch (error) {
    log.warn({ code: 'uws_not_loadable', err: error }, 'uWebSockets.js does not load on this system; node:http serves the link hosts');
    return null;
  }
}

/** A port with the app that answers on it. */
export interface UwsPort {
  readonly port: number;
  connections(): number;
  /** Must be called only once: closing a native listen socket a second time reads freed memory. */
  stopListening(): void;
  /** Ends every connection. */
  close(): void;
}

/**
 * uWebSockets.js closes connections that are idle for 10 s, and answers malformed heads, HTTP/1.0 and oversized heads by itself.
 * What it does not do is done here and in `Visits`. The routes match everything, because it ends the connection of a request that
 * matches none. Every header is read, because it takes the first of several `Content-Length` headers.
 */
export async function listenUws(uws: Uws, options: ListenOptions): Promise<Listener> {
  const port = await openPort(uws, options, (route) => route(uws.App()));
  return {
    kind: 'uws',
    port: port.port,
    connections: port.connections,
    async stop(deadlineMs) {
      port.stopListening();
      await untilZero(port.connections, deadlineMs);
      port.close();
    },
  };
}

/** Makes an app. `route` adds the routes to an app, or to one of its names. */
export type AppMaker = (route: (app: TemplatedApp) => TemplatedApp) => TemplatedApp;

export async function openPort(uws: Uws, options: ListenOptions, makeApp: AppMaker): Promise<UwsPort> {
  const facts = newFacts();
  const readHeader = headerReader(facts, options);
  let connections = 0;
  const answer = (method: Method) => (response: HttpResponse, request: HttpRequest) => {
    beginFacts(facts, method, request.getUrl(), request.getQuery() ?? '');
    request.forEach(readHeader);
    options.handle(facts, response);
  };
  // There is a route per method, because reading the method's name would make a string for every request. Names are case-sensitive.
  const app = makeApp((routed) => routed.get('/*', answer('GET')).head('/*', answer('HEAD')).any('/*', answer('other')));
  const countConnection = (_response: HttpResponse, change: number): void => {
    connections += change < 0 ? -1 : 1;
  };
  app.filter(countConnection);
  const socket = await new Promise<us_listen_socket>((resolve, reject) => {
    app.listen(options.host, options.port, (opened: us_listen_socket | false) => {
      if (opened) resolve(opened);
      else reject(new Error(`cannot listen on ${options.host}:${options.port}`));
    });
  });
  return {
    port: uws.us_socket_local_port(socket as never),
    connections: () => connections,
    stopListening: () => uws.us_listen_socket_close(socket),
    close: () => void app.close(),
  };
}

const LOOK_MS = 20;

/**
 * Resolves when no connection is left, or at the deadline. There is no call that closes only idle connections, so they may stay
 * open until then; their own timeout ends most of them earlier.
 */
export function untilZero(count: () => number, deadlineMs: number): Promise<void> {
  const started = performance.now();
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (count() > 0 && performance.now() - started < deadlineMs) return;
      clearInterval(timer);
      resolve();
    }, LOOK_MS);
  });
}
