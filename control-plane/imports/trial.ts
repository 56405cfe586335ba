import { createHash } from 'node:crypto';
import { parseInstant } from '../../shared/base/instant.js';
import { parseUrl } from '../../shared/base/parse-url.js';
import type { Link } from '../../shared/contract/schemas/link.js';
import { type Refusal, refuseTaken } from '../http/problems.js';
import { type AliasAddress, aliasAddresses, storedAliases } from '../links/aliases.js';
import { addressTaken, aliasTaken, textOf } from '../links/give-aliases.js';
import { addressOf } from './existing-links.js';
import type { PlannedLink } from './plan-link.js';

/**
 * The number of addresses that a trial remembers. Each takes some 300 bytes, so all of them take 300 MB. In a larger file, addresses past
 * this number are compared only with those of their own batch.
 */
const ADDRESSES_MAX = 1_000_000;

/** What distinguishes the link at an address from others, and where it is shown. */
interface Tried {
  /** A hash of the web destination. */
  readonly web: string;
  readonly createdMs: number;
  /** The host on which the link is shown, for the address of its path; null for an alias. */
  readonly shownOn: string | null;
}

/**
 * The addresses of the links that a trial would have created so far. The trial needs them because it rolls back each call. A batch has a
 * trial of its own until it ends, because a batch that is repeated would find its own links otherwise.
 */
export class Trial {
  readonly #tried = new Map<string, Tried>();
  /** That of the batches before; null if there are none. */
  readonly #before: Trial | null;
  readonly #addressesMax: number;

  constructor(before: Trial | null = null, addressesMax = ADDRESSES_MAX) {
    this.#before = before;
    this.#addressesMax = addressesMax;
  }

  /** Whether it has the very same link, because its row comes twice. */
  has(plan: PlannedLink, linkHost: string): boolean {
    const tried = this.#triedAt(addressOf(plan));
    const { path, domain, created_at, destinations } = plan.body;
    if (tried === undefined || tried.web !== hashOf(destinations?.web)) return false;
    if (path !== undefined && tried.shownOn !== (domain ?? linkHost)) return false;
    return created_at === undefined || parseInstant(created_at) === tried.createdMs;
  }

  /** Why the link could not be created beside those that it has; null if it could. */
  refusalOf(plan: PlannedLink, linkHost: string): Refusal | null {
    const { path, domain } = plan.body;
    if (path !== undefined) {
      if (this.#triedAt(path) !== undefined) return refuseTaken('/path', `The path "${path}" is taken.`);
      const shown = { host: domain ?? linkHost, normal_path: path };
      if (this.#triedAt(textOf(shown)) !== undefined) return addressTaken(shown, '/path');
    }
    for (const [index, address] of aliasesOf(plan).entries()) {
      const isTaken = this.#triedAt(textOf(address)) !== undefined || this.#triedAt(address.normal_path)?.shownOn === address.host;
      if (isTaken) return aliasTaken(address, `/aliases/${index}`);
    }
    return null;
  }

  /** Remembers a link that would have been created. */
  add(plan: PlannedLink, { path, created_at }: Link, linkHost: string): void {
    const identity = { web: hashOf(plan.body.destinations?.web), createdMs: parseInstant(created_at) as number };
    // A path that a trial generates is not the one that the link will get.
    if (plan.body.path !== undefined) this.#put(path, { ...identity, shownOn: plan.body.domain ?? linkHost });
    for (const address of aliasesOf(plan)) this.#put(textOf(address), { ...identity, shownOn: null });
  }

  /** Gives its links to the trial of the batches before, once its own batch has ended. */
  end(): void {
    if (this.#before === null) return;
    for (const [address, tried] of this.#tried) this.#before.#put(address, tried);
  }

  #triedAt(address: string): Tried | undefined {
    const tried = this.#tried.get(address);
    return tried !== undefined || this.#before === null ? tried : this.#before.#triedAt(address);
  }

  #put(address: string, tried: Tried): void {
    if (this.#tried.size < this.#addressesMax) this.#tried.set(address, tried);
  }
}

function aliasesOf({ body }: PlannedLink): readonly AliasAddress[] {
  return aliasAddresses(storedAliases(body.aliases ?? []));
}

function hashOf(web: string | null | undefined): string {
  return web
    ? createHash('sha256')
        .update(parseUrl(web)?.href ?? web)
        .digest('base64')
        .slice(0, 16)
    : '';
}
