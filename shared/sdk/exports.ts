import { Group } from './group.js';
import type { CallOptions } from './http.js';
import type * as api from './operations.js';

/** Everything of a kind as one file, CSV or NDJSON. */
export class Exports extends Group {
  links(query: api.QueryOf<'exportLinks'> = {}, options?: CallOptions): Promise<Uint8Array> {
    return this.transport.sendForFile({ method: 'GET', path: '/exports/links', query, options });
  }

  campaigns(query: api.QueryOf<'exportCampaigns'> = {}, options?: CallOptions): Promise<Uint8Array> {
    return this.transport.sendForFile({ method: 'GET', path: '/exports/campaigns', query, options });
  }

  clicks(query: api.QueryOf<'exportClicks'> = {}, options?: CallOptions): Promise<Uint8Array> {
    return this.transport.sendForFile({ method: 'GET', path: '/exports/clicks', query, options });
  }
}
