import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export type Binding = { readonly taken: false; readonly port: number } | { readonly taken: true; readonly reason: string };

export type Hold =
  | { readonly taken: false; readonly port: number; release(): Promise<void> }
  | { readonly taken: true; readonly reason: string };

/**
 * Where free ports are looked for: below those that Linux (32768 to 60999) and other systems (49152 to 65535, RFC 6335) give to outgoing
 * connections. One of these may be in use by the time a process listens on it.
 */
const FREE_PORT_MIN = 20_000;
const FREE_PORT_MAX = 32_767;
const TRIES = 100;

/**
 * Binds the port exclusively until it is released, and reports which port it got (0: any free one) or why it failed. A
 * port that several processes share by SO_REUSEPORT appears as taken, because this socket does not share.
 */
export async function holdPort(host: string, port: number): Promise<Hold> {
  if (port !== 0) return hold(host, port);
  for (let tries = 0; tries < TRIES; tries++) {
    const held = await hold(host, randomInt(FREE_PORT_MIN, FREE_PORT_MAX + 1));
    if (!held.taken || held.reason !== 'EADDRINUSE') return held;
  }
  return hold(host, 0);
}

function hold(host: string, port: number): Promise<Hold> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve({ taken: true, reason: error.code ?? error.message }));
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      const got = typeof address === 'object' && address !== null ? address.port : port;
      resolve({ taken: false, port: got, release: () => new Promise((released) => server.close(() => released())) });
    });
  });
}

/** Finds a port that is free at the moment. It may be taken again by the time it is used. */
export async function tryPort(host: string, port: number): Promise<Binding> {
  const held = await holdPort(host, port);
  if (held.taken) return held;
  await held.release();
  return { taken: false, port: held.port };
}
