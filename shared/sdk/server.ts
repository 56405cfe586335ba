import { ConfigurationError } from './errors.js';
import { defaultWait, type FetchFunction, Transport, type TransportSettings } from './http.js';
import { Links } from './links.js';
import {
  Campaigns,
  Clicks,
  Domains,
  EnvironmentSettings,
  Events,
  Exports,
  Imports,
  Installs,
  Keys,
  OwnKey,
  Resources,
  ResourceTypes,
  ServiceHealth,
  Stats,
  Tags,
  UrlTemplates,
} from './resources.js';
import { refuseBrowser, requireBaseUrl, requireSecretKey } from './secret-key.js';
import { Views } from './views.js';
import { Webhooks } from './webhooks.js';

/**
 * The SDK for servers: everything the REST API does, in camel case, with retries, pages and typed errors.
 *
 * ```ts
 * const service = new LinkService({ secretKey: process.env.LINK_SERVICE_KEY, baseUrl: 'https://api.example.com/v1' });
 * const link = await service.links.create({ deepLinkPath: '/product/42', destinations: { web: 'https://example.com/p/42' } });
 * for await (const { url, createdAt } of service.links.list({ campaign: 'spring' })) console.log(url, createdAt);
 * ```
 */

export interface LinkServiceOptions {
  /** `sk_test_...` or `sk_live_...` */
  readonly secretKey: string | undefined;
  /** Address of the API: `https://api.example.com/v1`. The version is added if it is missing. */
  readonly baseUrl: string | undefined;
  /** Timeout of one attempt, in milliseconds; 30,000 if absent. */
  readonly timeoutMs?: number;
  /** Number of attempts after the first one; 3 if absent, 0 for none. */
  readonly maxRetries?: number;
  /** Used instead of the runtime's own. */
  readonly fetch?: FetchFunction;
}

const TIMEOUT_MS = 30_000;
/** The longest timer of the runtime. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;
const RETRIES = 3;

export class LinkService {
  readonly links: Links;
  readonly campaigns: Campaigns;
  readonly tags: Tags;
  readonly exports: Exports;
  readonly imports: Imports;
  readonly domains: Domains;
  readonly environment: EnvironmentSettings;
  readonly key: OwnKey;
  readonly keys: Keys;
  readonly installs: Installs;
  readonly resourceTypes: ResourceTypes;
  readonly urlTemplates: UrlTemplates;
  readonly resources: Resources;
  readonly stats: Stats;
  readonly clicks: Clicks;
  readonly views: Views;
  readonly health: ServiceHealth;
  readonly events: Events;
  readonly webhooks: Webhooks;

  /** Throws a `ConfigurationError` for options that are missing or cannot work, above all a publishable key, and in a browser. Sends nothing. */
  constructor(options: LinkServiceOptions) {
    const transport = new Transport(transportSettings(options ?? {}));
    this.links = new Links(transport);
    this.campaigns = new Campaigns(transport);
    this.tags = new Tags(transport);
    this.exports = new Exports(transport);
    this.imports = new Imports(transport);
    this.domains = new Domains(transport);
    this.environment = new EnvironmentSettings(transport);
    this.key = new OwnKey(transport);
    this.keys = new Keys(transport);
    this.installs = new Installs(transport);
    this.resourceTypes = new ResourceTypes(transport);
    this.urlTemplates = new UrlTemplates(transport);
    this.resources = new Resources(transport);
    this.stats = new Stats(transport);
    this.clicks = new Clicks(transport);
    this.views = new Views(transport);
    this.health = new ServiceHealth(transport);
    this.events = new Events(transport);
    this.webhooks = new Webhooks(transport);
  }
}

function transportSettings(options: LinkServiceOptions): TransportSettings {
  refuseBrowser(globalThis);
  const { timeoutMs = TIMEOUT_MS, maxRetries = RETRIES } = options;
  if (typeof timeoutMs !== 'number' || !(timeoutMs >= 1 && timeoutMs <= TIMEOUT_MS_MAX))
    throw new ConfigurationError(`timeoutMs must be a number of milliseconds from 1 to ${TIMEOUT_MS_MAX}.`);
  if (!Number.isInteger(maxRetries) || maxRetries < 0) throw new ConfigurationError('maxRetries must be a whole number, 0 or more.');
  return {
    secretKey: requireSecretKey(options.secretKey),
    baseUrl: requireBaseUrl(options.baseUrl),
    // The runtime's timers take whole milliseconds only.
    timeoutMs: Math.ceil(timeoutMs),
    maxRetries,
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    random: Math.random,
    wait: defaultWait,
  };
}

export { BulkError, type BulkItem, type BulkOptions, type BulkProgress, type BulkResult } from './bulk.js';
export { ClickStream, type ClickStreamOptions } from './click-stream.js';
export {
  ApiError,
  AuthenticationError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  type FieldProblem,
  LinkServiceError,
  NotFoundError,
  PermissionError,
  PreconditionError,
  type Problem,
  type ProblemCode,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from './errors.js';
export { type CallOptions, etagOf, type FetchFunction } from './http.js';
export type {
  Campaign,
  CampaignStats,
  Click,
  Delivery,
  Domain,
  Environment,
  EnvironmentStats,
  Event,
  Health,
  Link,
  LinkCreate,
  LinkPatch,
  LinkStats,
  ListedKey,
  MetadataApi,
  MetadataApiTest,
  Preview,
  ResourceStats,
  ResourceType,
  SharedView,
  Tag,
  TrackedEvent,
  UrlTemplate,
  UrlTemplateWithWarnings,
  View,
  ViewShare,
  Webhook,
  WebhookWithSecret,
} from './operations.js';
export { type Page, Pages } from './pages.js';
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  WEBHOOK_TOLERANCE_SECONDS,
  WEBHOOK_VERIFICATION_CODES,
  type WebhookEvent,
  type WebhookVerificationCode,
  WebhookVerificationError,
} from './verify-webhook.js';
