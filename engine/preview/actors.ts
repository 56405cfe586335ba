import { compileMetadataApi } from '../../shared/metadata/call.js';
import type { MetadataConfiguration } from '../../shared/metadata/configuration.js';
import type { MetadataApiRecord, ResourceTypeRecord } from '../../shared/records/records.js';
import { metadataSecretPlace, type SecretKeys, unseal } from '../../shared/secrets/seal.js';
import { CallBudget, type HoldersOf, type ShareOf } from './call-budget.js';
import type { Question } from './in-flight-fetch.js';
import type { MinuteWindow } from './minute-window.js';
import { type ActorParts, type CallableApi, TypeActor } from './type-actor.js';

export interface ActorsOptions {
  readonly parts: ActorParts;
  readonly secretKeys: SecretKeys;
  /** SERVICE_NAME. */
  readonly serviceName: string;
  readonly shareOf: ShareOf;
  readonly holdersOf: HoldersOf;
  /** Opens the window of an API, with the calls that the previous process noted for it. */
  readonly openWindow: (apiId: string) => MinuteWindow;
}

/** The records from which actors are made. */
export interface ActorsInput {
  readonly metadata_apis: readonly MetadataApiRecord[];
  readonly resource_types: readonly ResourceTypeRecord[];
}

interface Kept {
  readonly record: MetadataApiRecord;
  readonly typeKey: string;
  /** Null if the credential of the API cannot be decrypted, for example because its key is missing. Such an API is never called. */
  readonly actor: TypeActor | null;
}

/**
 * The actors of all resource types. A new configuration gets a new actor, which starts with nothing remembered and a closed
 * breaker. The budget of an API stays the same, whatever its configuration.
 */
export class Actors {
  readonly #options: ActorsOptions;
  #kept: ReadonlyMap<string, Kept> = new Map();
  /** Keyed by the metadata API's id. */
  readonly #budgets = new Map<string, CallBudget>();
  /** Ids of the configured APIs, including disabled ones. */
  #configured: ReadonlySet<string> = new Set();

  constructor(options: ActorsOptions) {
    this.#options = options;
  }

  /** Updates the actors to the current configuration. */
  update({ metadata_apis, resource_types }: ActorsInput): void {
    const keys = new Map(resource_types.filter(({ state }) => state === 'active').map(({ id, key }) => [id, key]));
    const next = new Map<string, Kept>();
    for (const record of metadata_apis) {
      const typeKey = keys.get(record.resource_type_id);
      if (typeKey === undefined || record.status !== 'active') continue;
      next.set(record.resource_type_id, this.#keep(record, typeKey, this.#kept.get(record.resource_type_id)));
    }
    for (const [typeId, { actor }] of this.#kept) if (next.get(typeId)?.actor !== actor) actor?.retire();
    this.#kept = next;
    this.#configured = new Set(metadata_apis.map(({ id }) => id));
  }

  /**
   * Drops the budgets of APIs that are no longer configured, as soon as none of their calls counts any more. Must be called every
   * second or so.
   */
  dropUnused(): void {
    for (const [apiId, budget] of this.#budgets) if (!this.#configured.has(apiId) && budget.clearIfQuiet()) this.#budgets.delete(apiId);
  }

  /** Passes the question to the type's actor. Replies at once if there is none, or if it has another configuration. */
  ask(resourceTypeId: string, generation: number, question: Question): void {
    const kept = this.#kept.get(resourceTypeId);
    const { called } = question;
    if (kept?.record.generation !== generation) question.reply({ kind: 'again', called });
    else if (kept.actor === null) question.reply({ kind: 'none', called });
    else kept.actor.ask(question);
  }

  invalidate(resourceTypeId: string, itemId: string): void {
    this.#kept.get(resourceTypeId)?.actor?.invalidate(itemId);
  }

  /** Drops everything that is under way. The reply to waiting questions is to ask again. */
  invalidateAll(): void {
    for (const { actor } of this.#kept.values()) actor?.retire();
  }

  setShares(): void {
    for (const budget of this.#budgets.values()) budget.setShares(this.#options.shareOf, this.#options.holdersOf);
  }

  underWay(): number {
    return [...this.#budgets.values()].reduce((sum, budget) => sum + budget.underWay, 0);
  }

  /** Milliseconds since the last call to any API. */
  quietMs(): number {
    return [...this.#budgets.values()].reduce((least, budget) => Math.min(least, budget.quietMs()), Number.POSITIVE_INFINITY);
  }

  stats(): { readonly actors: number; readonly fetches: number; readonly breakersOpen: number } {
    const actors = [...this.#kept.values()].flatMap(({ actor }) => actor ?? []);
    return {
      actors: actors.length,
      fetches: actors.reduce((sum, actor) => sum + actor.fetches, 0),
      breakersOpen: actors.filter((actor) => actor.breakerKind() !== 'closed').length,
    };
  }

  /** The store returns the same record for as long as its bytes are the same. */
  #keep(record: MetadataApiRecord, typeKey: string, before: Kept | undefined): Kept {
    if (before?.record === record && before.typeKey === typeKey) return before;
    const api = this.#callable(record, typeKey);
    if (api === null) return { record, typeKey, actor: null };
    if (before?.actor?.generation === record.generation && before.typeKey === typeKey) {
      before.actor.setApi(api);
      return { record, typeKey, actor: before.actor };
    }
    const budget = this.#budgetOf(record.id);
    const actor = new TypeActor(api, budget, this.#options.parts);
    budget.setLimits(api.compiled.mapping.configuration, this.#options.shareOf, this.#options.holdersOf);
    return { record, typeKey, actor };
  }

  #budgetOf(apiId: string): CallBudget {
    let budget = this.#budgets.get(apiId);
    if (budget === undefined) {
      budget = new CallBudget(apiId, this.#options.openWindow(apiId));
      this.#budgets.set(apiId, budget);
    }
    return budget;
  }

  /** Returns null if the credential cannot be decrypted. */
  #callable(record: MetadataApiRecord, typeKey: string): CallableApi | null {
    const { secretKeys, serviceName, parts } = this.#options;
    let credential: string | null = null;
    try {
      credential = record.secret === null ? null : unseal(secretKeys, metadataSecretPlace(record.id), Buffer.from(record.secret, 'base64'));
    } catch (error) {
      parts.log.error(
        { code: 'metadata_credential_unreadable', metadata_api: record.id, err: error },
        'the credential of a metadata API cannot be decrypted',
      );
      return null;
    }
    const configuration = JSON.parse(record.configuration) as MetadataConfiguration;
    const compiled = compileMetadataApi(configuration, { type: typeKey, service_name: serviceName, credential });
    return { resource_type_id: record.resource_type_id, generation: record.generation, compiled };
  }
}
