import { createServer } from 'node:net';

export type Binding = { readonly taken: false; readonly port: number } | { readonly taken: true; readonly reason: string };

/**
 * Binds the port for a moment, alone, and tells which one it got (0: any free one) or why it could not. A port that
 * several processes will share by SO_REUSEPORT is seen as taken by this one, which does not share.
 */
export function tryPort(host: string, port: number): Promise<Binding> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve({ taken: true, reason: error.code ?? error.message }));
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve({ taken: false, port: typeof address === 'object' && address !== null ? address.port : port }));
    });
  });
}
