import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/** Serves on a port of loopback, until the test ends at the latest. */
export async function serveHttp(
  t: Pick<Test, 'teardown'>,
  handle: RequestListener,
): Promise<{ readonly origin: string; stop(): Promise<void> }> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  t.teardown(stop);
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
