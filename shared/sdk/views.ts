import { ChangeableCollection } from './group.js';
import type { CallOptions } from './http.js';
import type * as api from './operations.js';

/** Queries of clicks that were saved under a name, and their public links. */
export class Views extends ChangeableCollection<api.View, 'listViews', 'updateView'> {
  protected readonly path = '/views';

  create(view: api.BodyOf<'createView'>, options?: CallOptions): Promise<api.View> {
    return this.transport.send({ method: 'POST', path: this.path, body: view, options });
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.transport.send({ method: 'DELETE', path: this.pathOf(id), options });
  }

  getShare(id: string, options?: CallOptions): Promise<api.ViewShare> {
    return this.transport.send({ method: 'GET', path: `${this.pathOf(id)}/share`, options });
  }

  /** Creates the public link: `path` is relative to the address of the API. */
  share(id: string, settings: api.BodyOf<'updateViewShare'> = {}, options?: CallOptions): Promise<api.ViewShare> {
    return this.transport.send({ method: 'POST', path: `${this.pathOf(id)}/share`, body: settings, options });
  }

  updateShare(id: string, patch: api.BodyOf<'updateViewShare'>, options?: CallOptions): Promise<api.ViewShare> {
    return this.transport.send({ method: 'PATCH', path: `${this.pathOf(id)}/share`, body: patch, options });
  }

  /** Revokes the link, which shows nothing from then on. */
  revokeShare(id: string, options?: CallOptions): Promise<void> {
    return this.transport.send({ method: 'DELETE', path: `${this.pathOf(id)}/share`, options });
  }

  /** What the page of a public link shows. */
  readShared(link: api.BodyOf<'readSharedView'>, options?: CallOptions): Promise<api.SharedView> {
    return this.transport.send({ method: 'POST', path: '/shared-view', body: link, options });
  }
}
