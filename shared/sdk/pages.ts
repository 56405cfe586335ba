/** A page of a list, newest first. */
export interface Page<Item> {
  readonly data: readonly Item[];
  /** Pass it as `cursor` for the next page; null on the last one. */
  readonly nextCursor: string | null;
}

/**
 * A list that is fetched page by page while it is iterated:
 *
 * ```ts
 * for await (const link of service.links.list({ status: 'active' })) console.log(link.url);
 * const { data, nextCursor } = await service.links.list({ limit: 50 }).page();
 * ```
 */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #fetch: (cursor: string | undefined) => Promise<Page<Item>>;
  readonly #cursor: string | undefined;

  constructor(fetch: (cursor: string | undefined) => Promise<Page<Item>>, cursor: string | undefined) {
    this.#fetch = fetch;
    this.#cursor = cursor;
  }

  /** Returns only the first page, or the one that `cursor` names. */
  page(): Promise<Page<Item>> {
    return this.#fetch(this.#cursor);
  }

  /** Page after page. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor = this.#cursor;
    do {
      const page = await this.#fetch(cursor);
      yield page;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** Item after item, through all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** Returns all items, at most `max`, because others decide how long a list may grow. */
  async toArray({ max }: { readonly max: number }): Promise<Item[]> {
    const items: Item[] = [];
    if (max <= 0) return items;
    for await (const item of this) if (items.push(item) >= max) break;
    return items;
  }
}
