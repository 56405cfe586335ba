import { type BulkOptions, type BulkResult, createLinks } from './bulk.js';
import { Group, segment } from './group.js';
import type { CallOptions } from './http.js';
import type * as api from './operations.js';
import type { Pages } from './pages.js';

export class Links extends Group {
  create(link: api.LinkCreate = {}, options?: CallOptions): Promise<api.Link> {
    return this.transport.send({ method: 'POST', path: '/links', body: link, options });
  }

  /** Makes any number of links in chunks of a thousand. A link that is refused does not stop the others: `results` tells. */
  createMany(links: Iterable<api.LinkCreate> | AsyncIterable<api.LinkCreate>, options?: BulkOptions): Promise<BulkResult> {
    return createLinks(this.transport, links, options);
  }

  get(id: string, options?: CallOptions): Promise<api.Link> {
    return this.transport.send({ method: 'GET', path: `/links/${segment(id)}`, options });
  }

  list(query: api.QueryOf<'listLinks'> = {}, options?: CallOptions): Pages<api.Link> {
    return this.pages('/links', query, options);
  }

  /** An absent field keeps its value, null clears it. */
  update(id: string, patch: api.LinkPatch, options?: CallOptions): Promise<api.Link> {
    return this.transport.send({ method: 'PATCH', path: `/links/${segment(id)}`, body: patch, options });
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.transport.send({ method: 'DELETE', path: `/links/${segment(id)}`, options });
  }

  /** Brings a deleted link back, up to 90 days later. */
  restore(id: string, options?: CallOptions): Promise<api.Link> {
    return this.transport.send({ method: 'POST', path: `/links/${segment(id)}/restore`, options });
  }

  stats(id: string, query: api.QueryOf<'getLinkStats'> = {}, options?: CallOptions): Promise<api.LinkStats> {
    return this.transport.send({ method: 'GET', path: `/links/${segment(id)}/stats`, query, options });
  }

  /** The bytes of an SVG, PNG or PDF image. */
  qr(id: string, query: api.QueryOf<'getLinkQr'> = {}, options?: CallOptions): Promise<Uint8Array> {
    return this.transport.sendForFile({ method: 'GET', path: `/links/${segment(id)}/qr`, query, options });
  }

  /** The same, with a logo: a PNG in base64. */
  drawQr(id: string, style: api.BodyOf<'drawLinkQr'>, options?: CallOptions): Promise<Uint8Array> {
    return this.transport.sendForFile({ method: 'POST', path: `/links/${segment(id)}/qr`, body: style, options });
  }

  /** What a visitor of the URL or path gets, and why. */
  test(question: api.BodyOf<'testLink'>, options?: CallOptions): Promise<api.AnswerOf<'testLink'>> {
    return this.transport.send({ method: 'POST', path: '/links/test', body: question, options });
  }
}
