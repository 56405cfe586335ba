import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/** A call as the customer's API got it. */
export interface CustomerCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Monotonic milliseconds. */
  readonly at: number;
}

export interface CustomerApi {
  readonly origin: string;
  readonly calls: CustomerCall[];
}

/** A customer's metadata API on loopback, as well or ill behaved as `answer` makes it. Ends with the test. */
export async function startCustomerApi(t: Test, answer: (path: string, response: ServerResponse) => void): Promise<CustomerApi> {
  const calls: CustomerCall[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    calls.push({ method: request.method ?? '', path, headers: request.headers, at: performance.now() });
    answer(path, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}
