import type {
  CampaignRecord,
  DomainRecord,
  EnvironmentRecord,
  MetadataApiRecord,
  ResourceTypeRecord,
  TemplateRecord,
} from '../../shared/records/records.js';
import type { StoreEnvironment } from '../store/environment.js';
import {
  CAMPAIGN_RANGE,
  DOMAIN_RANGE,
  ENVIRONMENT_RANGE,
  METADATA_API_RANGE,
  RESOURCE_TYPE_RANGE,
  readNumber,
  TABLES_KEY,
  TEMPLATE_RANGE,
} from '../store/keys.js';
import { readChangesSince } from '../store/table-changes.js';
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
  /** Of what everything is known: the generation, and its `TABLES_KEY`. Null if everything is to be read. */
  #known: { readonly generation: string; readonly tables: number } | null = null;
  readonly #kinds = [this.#environments, this.#resourceTypes, this.#templates, this.#campaigns, this.#domains, this.#metadataApis];

  /**
   * Reads what has changed in the generation since the last call, or every kind if that is not known. Throws LMDB's errors; the kinds that
   * were not read are then unchanged.
   */
  read(generation: string, environment: StoreEnvironment, onDamage: (key: string) => void): void {
    const tables = readNumber(environment, TABLES_KEY);
    const changed = this.#known?.generation === generation ? readChangesSince(environment, this.#known.tables) : null;
    this.#known = null;
    let damaged = false;
    for (const kind of this.#kinds)
      kind.read(environment, changed, (key) => {
        damaged = true;
        onDamage(key);
      });
    if (!damaged) this.#known = { generation, tables };
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
