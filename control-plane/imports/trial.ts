import { createHash } from 'node:crypto';
import { parseInstant } from '../../shared/base/instant.js';
import { parseUrl } from '../../shared/base/parse-url.js';
import type { Link } from '../../shared/contract/schemas/link.js';
import { type Refusal, refuseTaken } from '../http/problems.js';
import { type AliasAddress, aliasAddresses, storedAliases } from '../links/aliases.js';
import { aliasTaken, textOf } from '../links/give-aliases.js';
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
 * The addresses of the links that a trial of a whole import would have created so far. The trial needs them because it rolls each batch
 * back.
 */
export class Trial {
  readonly #tried = new Map<string, Tried>();
  readonly #addressesMax: number;

  constructor(addressesMax = ADDRESSES_MAX) {
    this.#addressesMax = addressesMax;
  }

  /** Whether an earlier batch has the very same link, because its row comes twice. */
  has(plan: PlannedLink, linkHost: string): boolean {
    const tried = this.#tried.get(addressOf(plan));
    const { path, domain, created_at, destinations } = plan.body;
    if (tried === undefined || tried.web !== hashOf(destinations?.web)) return false;
    if (path !== undefined && tried.shownOn !== (domain ?? linkHost)) return false;
    return created_at === undefined || parseInstant(created_at) === tried.createdMs;
  }

  /** Why the link could not be created beside those of earlier batches; null if it could. */
  refusalOf(plan: PlannedLink): Refusal | null {
    const { path } = plan.body;
    if (path !== undefined && this.#tried.has(path)) return refuseTaken('/path', `The path "${path}" is taken.`);
    for (const [index, address] of aliasesOf(plan).entries()) {
      const isTaken = this.#tried.has(textOf(address)) || this.#tried.get(address.normal_path)?.shownOn === address.host;
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
