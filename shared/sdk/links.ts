import { type BulkOptions, type BulkResult, createLinks } from './bulk.js';
import { ChangeableCollection } from './group.js';
import type { CallOptions } from './http.js';
import type * as api from './operations.js';

export class Links extends ChangeableCollection<api.Link, 'listLinks', 'updateLink'> {
  protected readonly path = '/links';

  create(link: api.LinkCreate = {}, options?: CallOptions): Promise<api.Link> {
    return this.transport.send({ method: 'POST', path: this.path, body: link, options });
  }

  /** Creates any number of links in chunks of a thousand. A link that is refused does not stop the others: see `results`. */
  createMany(links: Iterable<api.LinkCreate> | AsyncIterable<api.LinkCreate>, options?: BulkOptions): Promise<BulkResult> {
    return createLinks(this.transport, links, options);
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.transport.send({ method: 'DELETE', path: this.pathOf(id), options });
  }

  /** Brings a deleted link back, up to 90 days later. */
  restore(id: string, options?: CallOptions): Promise<api.Link> {
    return this.transport.send({ method: 'POST', path: `${this.pathOf(id)}/restore`, options });
  }

  stats(id: string, query: api.QueryOf<'getLinkStats'> = {}, options?: CallOptions): Promise<api.LinkStats> {
    return this.transport.send({ method: 'GET', path: `${this.pathOf(id)}/stats`, query, options });
  }

  /** The bytes of an SVG, PNG or PDF image. */
  qr(id: string, query: api.QueryOf<'getLinkQr'> = {}, options?: CallOptions): Promise<Uint8Array> {
    return this.transport.sendForFile({ method: 'GET', path: `${this.pathOf(id)}/qr`, query, options });
  }

  /** The same, with a logo: a PNG in base64. */
  drawQr(id: string, style: api.BodyOf<'drawLinkQr'>, options?: CallOptions): Promise<Uint8Array> {
    return this.transport.sendForFile({ method: 'POST', path: `${this.pathOf(id)}/qr`, body: style, options });
  }

  /** What a visitor of the URL or path gets, and why. */
  test(question: api.BodyOf<'testLink'>, options?: CallOptions): Promise<api.AnswerOf<'testLink'>> {
    return this.transport.send({ method: 'POST', path: '/links/test', body: question, options });
  }
}
