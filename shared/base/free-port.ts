import { createServer } from 'node:net';

export type Binding = { readonly taken: false; readonly port: number } | { readonly taken: true; readonly reason: string };

export type Hold =
  | { readonly taken: false; readonly port: number; release(): Promise<void> }
  | { readonly taken: true; readonly reason: string };

/**
 * Binds the port exclusively until it is released, and reports which port it got (0: any free one) or why it failed. A
 * port that several processes share by SO_REUSEPORT appears as taken, because this socket does not share.
 */
export function holdPort(host: string, port: number): Promise<Hold> {
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
  const hold = await holdPort(host, port);
  if (hold.taken) return hold;
  await hold.release();
  return { taken: false, port: hold.port };
}
