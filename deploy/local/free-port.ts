import { createServer } from 'node:net';

export type Binding = { readonly taken: false; readonly port: number } | { readonly taken: true; readonly reason: string };

/** Binds the port for a moment (0: any free one) and tells which it got, or why it could not. */
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
