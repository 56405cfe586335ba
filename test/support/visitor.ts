import { Agent, request } from 'node:http';

export interface Visit {
  readonly status: number;
  readonly location: string | null;
}

/** One visitor with one connection that is kept open. */
export interface Visitor {
  visit(path: string, userAgent?: string, referrer?: string): Promise<Visit>;
  /** The visitor's own port, which identifies the process that holds the connection; 0 before the first visit. */
  localPort(): number;
  close(): void;
}

export const DESKTOP = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1';
export const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36';

/** Chrome on Android since its user agent was reduced: the same for every version and model. */
export const CHROME = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36';
/** Safari on a Mac, and on an iPad. */
export const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15';

export function createVisitor(port: number, host: string): Visitor {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let localPort = 0;
  return {
    visit: (path, userAgent = DESKTOP, referrer) =>
      new Promise((resolve, reject) => {
        const headers = { host, 'user-agent': userAgent, ...(referrer === undefined ? {} : { referer: referrer }) };
        const outgoing = request({ agent, host: '127.0.0.1', port, path, headers });
        outgoing.on('socket', (socket) => {
          const note = () => {
            localPort = socket.localPort ?? 0;
          };
          if (socket.connecting) socket.once('connect', note);
          else note();
        });
        outgoing.on('error', reject);
        outgoing.on('response', (response) => {
          response.resume();
          response.on('end', () => resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? null }));
        });
        outgoing.end();
      }),
    localPort: () => localPort,
    close: () => agent.destroy(),
  };
}
