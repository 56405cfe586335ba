import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Test } from 'tap';
import { serveHttp } from './serve-http.js';

/** A call as the customer's API received it. */
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

/** Starts a customer's metadata API on loopback, which behaves as well or as badly as `answer` makes it. Ends with the test. */
export async function startCustomerApi(t: Test, answer: (path: string, response: ServerResponse) => void): Promise<CustomerApi> {
  const calls: CustomerCall[] = [];
  const { origin } = await serveHttp(t, (request, response) => {
    const path = request.url ?? '';
    calls.push({ method: request.method ?? '', path, headers: request.headers, at: performance.now() });
    answer(path, response);
  });
  return { origin, calls };
}
