import { Group, segment } from './group.js';
import type { CallOptions } from './http.js';
import type * as api from './operations.js';
import type { Pages } from './pages.js';

/** Queries of clicks that were saved under a name, and their public links. */
export class Views extends Group {
  create(view: api.BodyOf<'createView'>, options?: CallOptions): Promise<api.View> {
    return this.transport.send({ method: 'POST', path: '/views', body: view, options });
  }

  get(id: string, options?: CallOptions): Promise<api.View> {
    return this.transport.send({ method: 'GET', path: `/views/${segment(id)}`, options });
  }

  list(query: api.QueryOf<'listViews'> = {}, options?: CallOptions): Pages<api.View> {
    return this.pages('/views', query, options);
  }

  /** An absent field keeps its value, null clears it. */
  update(id: string, patch: api.BodyOf<'updateView'>, options?: CallOptions): Promise<api.View> {
    return this.transport.send({ method: 'PATCH', path: `/views/${segment(id)}`, body: patch, options });
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.transport.send({ method: 'DELETE', path: `/views/${segment(id)}`, options });
  }

  getShare(id: string, options?: CallOptions): Promise<api.ViewShare> {
    return this.transport.send({ method: 'GET', path: `/views/${segment(id)}/share`, options });
  }

  /** Makes the public link: `path` is relative to the address of the API. */
  share(id: string, settings: api.BodyOf<'updateViewShare'> = {}, options?: CallOptions): Promise<api.ViewShare> {
    return this.transport.send({ method: 'POST', path: `/views/${segment(id)}/share`, body: settings, options });
  }

  updateShare(id: string, patch: api.BodyOf<'updateViewShare'>, options?: CallOptions): Promise<api.ViewShare> {
    return this.transport.send({ method: 'PATCH', path: `/views/${segment(id)}/share`, body: patch, options });
  }

  /** The link shows nothing from then on. */
  revokeShare(id: string, options?: CallOptions): Promise<void> {
    return this.transport.send({ method: 'DELETE', path: `/views/${segment(id)}/share`, options });
  }

  /** What the page of a public link shows. */
  readShared(link: api.BodyOf<'readSharedView'>, options?: CallOptions): Promise<api.SharedView> {
    return this.transport.send({ method: 'POST', path: '/shared-view', body: link, options });
  }
}
