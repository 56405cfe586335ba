import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Test } from 'tap';

/** A proxy to PostgreSQL that a test can close, or make swallow what is sent, without touching the server. */
export interface DatabaseProxy {
  readonly url: string;
  /** Closes the open connections and refuses new ones. */
  refuse(): Promise<void>;
  /** Keeps connections open and accepts new ones, but lets nothing through. */
  swallow(): void;
  restore(): Promise<void>;
}

export async function startDatabaseProxy(t: Test, databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let swallowing = false;
  const server: Server = createServer((client) => {
    sockets.add(client);
    client.on('close', () => sockets.delete(client));
    client.on('error', () => client.destroy());
    if (swallowing) return;
    const upstream = connect(Number(target.port), target.hostname);
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.on('data', (chunk) => void (swallowing || upstream.write(chunk)));
    upstream.on('data', (chunk) => void (swallowing || client.write(chunk)));
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  // Not resetAndDestroy: Node.js 20 spins forever in its clean-up at exit if a reset is still under way.
  const closeAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  t.teardown(() => {
    closeAll();
    server.close();
  });
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    async refuse() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      closeAll();
      await closed;
    },
    swallow() {
      swallowing = true;
    },
    async restore() {
      swallowing = false;
      closeAll();
      if (!server.listening) await listen(port);
    },
  };
}
