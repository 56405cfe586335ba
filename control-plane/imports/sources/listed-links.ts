import { isRefused, SourceError } from './source-api.js';
import { isCount, type SourceLink } from './source-link.js';

/** A service did not return all of its links. Those that it returned are created. */
export class MissingLinksError extends Error {
  override readonly name = 'MissingLinksError';
}

/**
 * The links of a service that lists them page by page, by offset. If links are created or deleted in the meantime, or if the order has ties
 * that the service breaks differently for each page, an offset repeats some links and skips others. So each link is returned once, and the
 * number of links is compared with the total that the service reports.
 */
export class ListedLinks {
  readonly #ids = new Set<string>();
  #total = 0;

  get size(): number {
    return this.#ids.size;
  }

  /**
   * Records how many links there are. The largest number counts: if a link is deleted in the meantime, those after it move to before the
   * offset.
   */
  ofTotal(total: unknown): void {
    if (isCount(total)) this.#total = Math.max(this.#total, total);
  }

  /**
   * The links of a page that were on none of the earlier ones. Throws if more pages follow and this one has no new link: a service that
   * repeats a page would do so without end.
   */
  newOf<Link extends Pick<SourceLink, 'id'>>(page: readonly Link[], isLast: boolean): readonly Link[] {
    const made = page.filter((link) => this.isNew(link));
    if (!isLast && made.length === 0) throw new SourceError('the service returns a page of links that it has returned before', null);
    return made;
  }

  /** Whether the link was not there on an earlier page. */
  isNew({ id }: Pick<SourceLink, 'id'>): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    return true;
  }

  /** Throws if the service has more links than it has listed. */
  end(): void {
    const read = this.#ids.size;
    const missing = this.#total - read;
    if (missing > 0)
      throw new MissingLinksError(
        `${missing} of ${this.#total} links are missing: links were created, deleted or reordered while the service listed them`,
      );
  }
}

/** A part of a service that has links of its own, such as a workspace. */
interface Part {
  readonly id: string;
  readonly name?: string;
}

/**
 * The links of every part. A part that the key may not read does not keep others from being read, and the error at the end names it. `kind`
 * is what the service calls the parts.
 */
export async function* linksOfParts<Each extends Part>(
  parts: readonly Each[],
  kind: string,
  linksOf: (part: Each) => AsyncIterable<SourceLink>,
): AsyncIterable<SourceLink> {
  const unread: string[] = [];
  for (const part of parts) {
    try {
      yield* linksOf(part);
    } catch (error) {
      if (!isRefused(error)) throw error;
      unread.push(`${part.name ?? part.id}: ${error.message}`);
    }
  }
  if (unread.length > 0) throw new MissingLinksError(`the links of ${unread.length} ${kind} could not be read (${unread.join('; ')})`);
}
