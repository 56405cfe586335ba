import { ClickStream, type ClickStreamOptions } from './click-stream.js';
import { ChangeableCollection, Collection, Group, segment } from './group.js';
import type { CallOptions, Transport } from './http.js';
import type * as api from './operations.js';
import type { Pages } from './pages.js';

/** The groups of operations of `LinkService`. Ids are escaped in paths. */

/** A tag is created when a link first uses it. `update` renames it on every link. */
export class Tags extends ChangeableCollection<api.Tag, 'listTags', 'updateTag'> {
  protected readonly path = '/tags';

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.transport.send({ method: 'DELETE', path: this.pathOf(id), options });
  }
}

export class Campaigns extends ChangeableCollection<api.Campaign, 'listCampaigns', 'updateCampaign'> {
  protected readonly path = '/campaigns';

  create(campaign: api.BodyOf<'createCampaign'>, options?: CallOptions): Promise<api.Campaign> {
    return this.transport.send({ method: 'POST', path: this.path, body: campaign, options });
  }

  stats(id: string, query: api.QueryOf<'getCampaignStats'> = {}, options?: CallOptions): Promise<api.CampaignStats> {
    return this.transport.send({ method: 'GET', path: `${this.pathOf(id)}/stats`, query, options });
  }
}

export class Domains extends ChangeableCollection<api.Domain, 'listDomains', 'updateDomain'> {
  protected readonly path = '/domains';

  create(domain: api.BodyOf<'createDomain'>, options?: CallOptions): Promise<api.Domain> {
    return this.transport.send({ method: 'POST', path: this.path, body: domain, options });
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.transport.send({ method: 'DELETE', path: this.pathOf(id), options });
  }

  /** What has to be set for the host, and what was found. */
  connection(id: string, options?: CallOptions): Promise<api.DomainConnection> {
    return this.transport.send({ method: 'GET', path: `${this.pathOf(id)}/connection`, options });
  }

  /** Addresses that differ only in case, to check before `case_insensitive` is switched on. */
  casePairs(id: string, options?: CallOptions): Promise<api.CasePairs> {
    return this.transport.send({ method: 'GET', path: `${this.pathOf(id)}/case-pairs`, options });
  }

  /** Checks the DNS record now. */
  verify(id: string, options?: CallOptions): Promise<api.Domain> {
    return this.transport.send({ method: 'POST', path: `${this.pathOf(id)}/verify`, options });
  }
}

export class Installs extends Collection<api.Install, 'listInstalls'> {
  protected readonly path = '/installs';

  /** Erases what the service knows about the installation. */
  delete(installId: string, options?: CallOptions): Promise<void> {
    return this.transport.send({ method: 'DELETE', path: this.pathOf(installId), options });
  }
}

export class EnvironmentSettings extends Group {
  get(options?: CallOptions): Promise<api.Environment> {
    return this.transport.send({ method: 'GET', path: '/environment', options });
  }

  update(patch: api.BodyOf<'updateEnvironment'>, options?: CallOptions): Promise<api.Environment> {
    return this.transport.send({ method: 'PATCH', path: '/environment', body: patch, options });
  }
}

/** The key that the client was created with. */
export class OwnKey extends Group {
  get(options?: CallOptions): Promise<api.Key> {
    return this.transport.send({ method: 'GET', path: '/key', options });
  }
}

/** The keys of the environment, read-only: they are created and revoked on the command line of the service. */
export class Keys extends Group {
  list(query: api.QueryOf<'listKeys'> = {}, options?: CallOptions): Pages<api.ListedKey> {
    return this.pages('/keys', query, options);
  }
}

/** The one metadata API of a resource type. */
export class MetadataApis extends Group {
  get(typeId: string, options?: CallOptions): Promise<api.MetadataApi> {
    return this.transport.send({ method: 'GET', path: `/resource-types/${segment(typeId)}/metadata-api`, options });
  }

  /** Creates or replaces it. A secret that is left out keeps its stored value. */
  put(typeId: string, configuration: api.BodyOf<'putMetadataApi'>, options?: CallOptions): Promise<api.MetadataApi> {
    return this.transport.send({ method: 'PUT', path: `/resource-types/${segment(typeId)}/metadata-api`, body: configuration, options });
  }

  /** Calls it for a real item; nothing is cached or counted. */
  test(typeId: string, item: api.BodyOf<'testMetadataApi'>, options?: CallOptions): Promise<api.MetadataApiTest> {
    return this.transport.send({ method: 'POST', path: `/resource-types/${segment(typeId)}/metadata-api/test`, body: item, options });
  }
}

export class ResourceTypes extends ChangeableCollection<api.ResourceType, 'listResourceTypes', 'updateResourceType'> {
  protected readonly path = '/resource-types';

  readonly metadataApi: MetadataApis;

  constructor(transport: Transport) {
    super(transport);
    this.metadataApi = new MetadataApis(transport);
  }

  create(type: api.BodyOf<'createResourceType'>, options?: CallOptions): Promise<api.ResourceType> {
    return this.transport.send({ method: 'POST', path: this.path, body: type, options });
  }
}

export class UrlTemplates extends ChangeableCollection<api.UrlTemplate, 'listUrlTemplates', 'updateUrlTemplate'> {
  protected readonly path = '/url-templates';

  create(template: api.BodyOf<'createUrlTemplate'>, options?: CallOptions): Promise<api.UrlTemplateWithWarnings> {
    return this.transport.send({ method: 'POST', path: this.path, body: template, options });
  }

  /** Which template and item a URL or path leads to, and why. */
  test(question: api.BodyOf<'testUrl'>, options?: CallOptions): Promise<api.AnswerOf<'testUrl'>> {
    return this.transport.send({ method: 'POST', path: '/url-templates/test', body: question, options });
  }
}

/** Items behind URL templates. */
export class Resources extends Group {
  /** Forgets what the metadata API answered for the items; at most 1000 ids. */
  invalidate(items: api.BodyOf<'invalidateResources'>, options?: CallOptions): Promise<api.AnswerOf<'invalidateResources'>> {
    return this.transport.send({ method: 'POST', path: '/resources/invalidate', body: items, options });
  }

  /** The card a preview bot would see. Asks the metadata API now. */
  preview(question: api.BodyOf<'previewResource'>, options?: CallOptions): Promise<api.Preview> {
    return this.transport.send({ method: 'POST', path: '/resources/preview', body: question, options });
  }

  stats(query: api.QueryOf<'getResourceStats'> = {}, options?: CallOptions): Promise<api.ResourceStats> {
    return this.transport.send({ method: 'GET', path: '/resources/stats', query, options });
  }
}

/** The health of the service. */
export class ServiceHealth extends Group {
  get(options?: CallOptions): Promise<api.Health> {
    return this.transport.send({ method: 'GET', path: '/health', options });
  }
}

/** Figures of the whole environment. */
export class Stats extends Group {
  get(query: api.QueryOf<'getStats'> = {}, options?: CallOptions): Promise<api.EnvironmentStats> {
    return this.transport.send({ method: 'GET', path: '/stats', query, options });
  }

  /** What clicks have led to: installations, opens and tracked events. */
  conversions(query: api.QueryOf<'getConversions'> = {}, options?: CallOptions): Promise<api.Conversions> {
    return this.transport.send({ method: 'GET', path: '/stats/conversions', query, options });
  }

  /** Clicks with filters that can be combined. */
  clicks(query: api.QueryOf<'getClicks'> = {}, options?: CallOptions): Promise<api.Clicks> {
    return this.transport.send({ method: 'GET', path: '/stats/clicks', query, options });
  }
}

export class Clicks extends Group {
  /** Follows the clicks of the environment, for as long as the loop over them runs. */
  stream(options: ClickStreamOptions = {}): ClickStream {
    return new ClickStream(this.transport, options);
  }
}

export class Events extends Group {
  /** Stores an event that happened on your server. */
  track(event: api.BodyOf<'trackEvent'>, options?: CallOptions): Promise<api.TrackedEvent> {
    return this.transport.send({ method: 'POST', path: '/events', body: event, options });
  }

  /** Events that apps and servers have sent, with what each is counted for. */
  tracked(query: api.QueryOf<'listTrackedEvents'> = {}, options?: CallOptions): Pages<api.TrackedEvent> {
    return this.pages('/tracked-events', query, options);
  }

  /** What happened in the environment, whether or not an endpoint received it. */
  list(query: api.QueryOf<'listEvents'> = {}, options?: CallOptions): Pages<api.Event> {
    return this.pages('/events', query, options);
  }

  /** Creates a sample event and queues it for every endpoint that is subscribed to its type. */
  trigger(sample: api.BodyOf<'triggerEvent'>, options?: CallOptions): Promise<api.AnswerOf<'triggerEvent'>> {
    return this.transport.send({ method: 'POST', path: '/events/trigger', body: sample, options });
  }
}

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

/** Links of another service, from the rows of a file. */
export class Imports extends Group {
  /** At most 500 rows of a file, in their order. Rows that were sent before are recognised. */
  links(rows: api.BodyOf<'importLinks'>, options?: CallOptions): Promise<api.AnswerOf<'importLinks'>> {
    return this.transport.send({ method: 'POST', path: '/imports/links', body: rows, options });
  }
}
