import type { Pool } from 'pg';
import type { Logger } from '../../shared/base/log.js';
import { type SecretKeys, unseal, webhookSecretPlace } from '../../shared/secrets/seal.js';
import { type EndpointTarget, endpointTargets } from './sql.js';

export interface SigningSecretsOptions {
  readonly secretKeys: SecretKeys;
  readonly log: Logger;
}

/**
 * Decrypts the signing secrets of endpoints and remembers which of them could not be decrypted, because SECRETS_KEYS lacks the key
 * or the row was altered. Only the operator can repair this. Until then deliveries to the endpoint fail with
 * `secret_unreadable`, and the health of the part reports it.
 */
export class SigningSecrets {
  readonly #options: SigningSecretsOptions;
  readonly #unreadable = new Set<string>();

  constructor(options: SigningSecretsOptions) {
    this.#options = options;
  }

  get unreadable(): readonly string[] {
    return [...this.#unreadable];
  }

  /**
   * Returns the secrets to sign with, newest first. The previous secret signs too until its 24 hours are over. Returns null if
   * they cannot be decrypted.
   */
  open(target: EndpointTarget): readonly string[] | null {
    try {
      const secrets = this.#unseal(target);
      this.#unreadable.delete(target.id);
      return secrets;
    } catch (error) {
      if (!this.#unreadable.has(target.id))
        this.#options.log.error(
          { code: 'webhook_secret_unreadable', err: error, webhook_id: target.id },
          'the signing secret of a webhook endpoint cannot be decrypted',
        );
      this.#unreadable.add(target.id);
      return null;
    }
  }

  /** Tries again the secrets that could not be decrypted, and forgets endpoints that are gone. */
  async recheck(pool: Pool): Promise<void> {
    if (this.#unreadable.size === 0) return;
    const targets = await endpointTargets(pool, this.unreadable);
    const there = new Set(targets.map(({ id }) => id));
    for (const id of this.unreadable) if (!there.has(id)) this.#unreadable.delete(id);
    for (const target of targets) this.open(target);
  }

  #unseal(target: EndpointTarget): readonly string[] {
    const { secretKeys } = this.#options;
    const place = webhookSecretPlace(target.id);
    const secrets = [unseal(secretKeys, place, target.secret)];
    if (target.previous_secret !== null) secrets.push(unseal(secretKeys, place, target.previous_secret));
    return secrets;
  }
}
