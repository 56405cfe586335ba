import type {
  CampaignRecord,
  DomainRecord,
  EnvironmentRecord,
  MetadataApiRecord,
  ResourceTypeRecord,
  TemplateRecord,
} from '../../shared/records/records.js';
import type { StoreEnvironment } from '../store/environment.js';
import { CAMPAIGN_RANGE, DOMAIN_RANGE, ENVIRONMENT_RANGE, METADATA_API_RANGE, RESOURCE_TYPE_RANGE, TEMPLATE_RANGE } from '../store/keys.js';
import { KnownRecords } from './known-records.js';

/** The sources of the compiled table. */
export interface TableInput {
  readonly environments: readonly EnvironmentRecord[];
  readonly resource_types: readonly ResourceTypeRecord[];
  readonly templates: readonly TemplateRecord[];
  readonly campaigns: readonly CampaignRecord[];
  readonly domains: readonly DomainRecord[];
  readonly metadata_apis: readonly MetadataApiRecord[];
  /** False if something may be missing from these lists. What they lack may then still exist. */
  readonly complete: boolean;
}

/** The parts of the table as a reader last knew them. */
export class StoredTable {
  readonly #environments = new KnownRecords(ENVIRONMENT_RANGE);
  readonly #resourceTypes = new KnownRecords(RESOURCE_TYPE_RANGE);
  readonly #templates = new KnownRecords(TEMPLATE_RANGE);
  readonly #campaigns = new KnownRecords(CAMPAIGN_RANGE);
  readonly #domains = new KnownRecords(DOMAIN_RANGE);
  readonly #metadataApis = new KnownRecords(METADATA_API_RANGE);
  readonly #kinds = [this.#environments, this.#resourceTypes, this.#templates, this.#campaigns, this.#domains, this.#metadataApis];

  /** Reads every kind again. Throws LMDB's errors; the kinds that were not read are then unchanged. */
  read(environment: StoreEnvironment, onDamage: (key: string) => void): void {
    for (const kind of this.#kinds) kind.read(environment, onDamage);
  }

  input(): TableInput {
    return {
      environments: this.#environments.records(),
      resource_types: this.#resourceTypes.records(),
      templates: this.#templates.records(),
      campaigns: this.#campaigns.records(),
      domains: this.#domains.records(),
      metadata_apis: this.#metadataApis.records(),
      complete: this.#kinds.every((kind) => kind.isComplete()),
    };
  }
}
