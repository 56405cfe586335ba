import { Figures } from '../../../engine/preview/figures.js';
import { ItemAnswers } from '../../../engine/preview/item-answers.js';
import type { ItemOwners } from '../../../engine/preview/item-owners.js';
import type { AnswerReader } from '../../../engine/store/answer-store.js';
import type { Metadata } from '../../../shared/metadata/answer.js';
import type { MetadataConfiguration } from '../../../shared/metadata/configuration.js';
import type { RememberedAnswer } from '../../../shared/metadata/remembered.js';
import type { MetadataApiRecord } from '../../../shared/records/records.js';
import { resourceTypeRecord } from '../fixtures.js';

export const CONFIGURATION: MetadataConfiguration = {
  status: 'active',
  url_template: 'https://api.example.com/{type}/{id}',
  auth: { type: 'none', header_name: null },
  headers: {},
  timeout_ms: 1000,
  ttl_seconds: 100,
  negative_ttl_seconds: 30,
  stale_if_error_seconds: 50,
  max_concurrency: 2,
  max_requests_per_minute: 100,
  field_mapping: { title: 'title', resource_status: 'status' },
  field_defaults: {},
  required_fields: ['title'],
  status_values: { published: ['live'], unpublished: ['draft'], deleted: ['gone'] },
  allowed_image_hosts: [],
};

/** A metadata API of the resource type of `resourceTypeRecord`. */
export function metadataApiRecord(changes: Partial<MetadataApiRecord> = {}, configuration: object = {}): MetadataApiRecord {
  return {
    id: 'mapi_01jd0000000000000000000000',
    environment_number: 1,
    resource_type_id: resourceTypeRecord().id,
    generation: 1,
    status: 'active',
    timeout_ms: 1000,
    configuration: JSON.stringify({ ...CONFIGURATION, ...configuration }),
    secret: null,
    ...changes,
  };
}

export const NO_METADATA: Metadata = {
  title: null,
  description: null,
  image_url: null,
  canonical_url: null,
  deep_link_path: null,
  web_fallback_url: null,
  resource_status: null,
};

/** An answer that was fetched just now, with the given fields. It is fresh for one hour and kept for another. */
export function rememberedAnswer(metadata: Partial<Metadata>, changes: Partial<RememberedAnswer> = {}): RememberedAnswer {
  const now = Date.now();
  return {
    generation: 1,
    outcome: 'ok',
    meaning: 'published',
    metadata: { ...NO_METADATA, ...metadata },
    fetched_at_ms: now,
    expires_at_ms: now + 3_600_000,
    keep_until_ms: now + 7_200_000,
    ...changes,
  };
}

const NO_STORE: AnswerReader = {
  find: () => undefined,
  epoch: () => null,
  stats: () => ({ open: false, damages: 0 }),
  close: async () => undefined,
};

/** A redirect process's view of items if nothing is remembered and no engine can be asked. */
export function noItems(): ItemAnswers {
  return new ItemAnswers(NO_STORE, { figures: new Figures(), ask: () => false }, Date.now);
}

/** No other engine makes calls. */
export const NO_OWNERS: Pick<ItemOwners, 'of' | 'ask' | 'unanswered'> = { of: () => [], ask: () => {}, unanswered: () => {} };
