import { isCount, type SourceLink } from './source-link.js';

/** A service did not give all of its links: those that it gave are made. */
export class MissingLinksError extends Error {
  override readonly name = 'MissingLinksError';
}

/**
 * The links of a service that lists them page by page, by an offset. Where others are made or deleted meanwhile, or where its order has
 * ties that it breaks in another way for each page, an offset shows links twice and passes over others. So each is given once, and their
 * number is compared with what the service says of it.
 */
export class ListedLinks {
  readonly #ids = new Set<string>();
  #total = 0;

  /** Notes how many links there are. The largest number counts: a link that is deleted meanwhile moves those behind it before the offset. */
  ofTotal(total: unknown): void {
    if (isCount(total)) this.#total = Math.max(this.#total, total);
  }

  /** Whether the link was not there on an earlier page. */
  isNew({ id }: Pick<SourceLink, 'id'>): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    return true;
  }

  /** Throws if the service has more links than it has shown. */
  end(): void {
    const read = this.#ids.size;
    const missing = this.#total - read;
    if (missing > 0)
      throw new MissingLinksError(
        `${missing} of ${this.#total} links are missing: links were created, deleted or reordered while the service listed them`,
      );
  }
}
