import type { CallOptions, Transport } from './http.js';
import { type Page, Pages } from './pages.js';

/** An id as it stands in a path. */
export const segment = encodeURIComponent;

/** Operations on one kind of object. */
export abstract class Group {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  protected pages<Item>(path: string, query: object, options: CallOptions | undefined): Pages<Item> {
    const { cursor, ...filter } = query as { readonly cursor?: string };
    return new Pages(
      (next) => this.transport.send<Page<Item>>({ method: 'GET', path, query: { ...filter, cursor: next }, options }),
      cursor,
    );
  }
}
