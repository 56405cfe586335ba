import type { CallOptions, Transport } from './http.js';
import type { AnswerOf, BodyOf, Operation, QueryOf } from './operations.js';
import { type Page, Pages } from './pages.js';

/**
 * Escapes an id for a path. A URL cannot contain a segment of one or two dots, escaped or not: it would be another path.
 * It becomes an id that does not exist, so the API answers 404.
 */
export function segment(id: string): string {
  return /^\.{1,2}$/.test(id) ? encodeURIComponent(id.replaceAll('.', '%2E')) : encodeURIComponent(id);
}

/** Operations on one kind of object. */
export abstract class Group {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  protected pages<Item>(path: string, query: object, options: CallOptions | undefined): Pages<Item> {
    const { cursor, ...filter } = query as { readonly cursor?: string };
    return new Pages(
      (next) => this.transport.send<Page<Item>>({ method: 'GET', path, query: { ...filter, cursor: next }, list: 'data', options }),
      cursor,
    );
  }
}

/** Objects that are read by their ids, and listed by the operation `List`. */
export abstract class Collection<Item, List extends Operation> extends Group {
  protected abstract readonly path: string;

  get(id: string, options?: CallOptions): Promise<Item> {
    return this.transport.send({ method: 'GET', path: this.pathOf(id), options });
  }

  list(query?: QueryOf<List>, options?: CallOptions): Pages<Item> {
    return this.pages(this.path, query ?? {}, options);
  }

  protected pathOf(id: string): string {
    return `${this.path}/${segment(id)}`;
  }
}

/** Objects that can also be changed, by the operation `Update`. */
export abstract class ChangeableCollection<Item, List extends Operation, Update extends Operation> extends Collection<Item, List> {
  /** An absent field keeps its value, null clears it. */
  update(id: string, patch: BodyOf<Update>, options?: CallOptions): Promise<AnswerOf<Update>> {
    return this.transport.send({ method: 'PATCH', path: this.pathOf(id), body: patch, options });
  }
}
