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
 * Addresses that a trial remembers. Each takes some 300 bytes, so that all of them take 300 MB. Of a larger file the addresses past them are
 * compared with those of their own batch alone.
 */
const ADDRESSES_MAX = 1_000_000;

/** What tells the link at an address from others, and where it is shown. */
interface Tried {
  /** A hash of the web destination. */
  readonly web: string;
  readonly createdMs: number;
  /** Of its path; null for an alias. */
  readonly shownOn: string | null;
}

/** The addresses of the links that a trial of a whole import would have made so far: it takes each batch back. */
export class Trial {
  readonly #tried = new Map<string, Tried>();
  readonly #addressesMax: number;

  constructor(addressesMax = ADDRESSES_MAX) {
    this.#addressesMax = addressesMax;
  }

  /** Whether an earlier batch has the very link: its row comes twice. */
  has(plan: PlannedLink, linkHost: string): boolean {
    const tried = this.#tried.get(addressOf(plan));
    const { path, domain, created_at, destinations } = plan.body;
    if (tried === undefined || tried.web !== hashOf(destinations?.web)) return false;
    if (path !== undefined && tried.shownOn !== (domain ?? linkHost)) return false;
    return created_at === undefined || parseInstant(created_at) === tried.createdMs;
  }

  /** Why the link could not be made beside those of earlier batches; null if it could. */
  refusalOf(plan: PlannedLink): Refusal | null {
    const { path } = plan.body;
    if (path !== undefined && this.#tried.has(path)) return refuseTaken('/path', `The path "${path}" is taken.`);
    for (const [index, address] of aliasesOf(plan).entries()) {
      const isTaken = this.#tried.has(textOf(address)) || this.#tried.get(address.normal_path)?.shownOn === address.host;
      if (isTaken) return aliasTaken(address, `/aliases/${index}`);
    }
    return null;
  }

  /** Remembers a link that would have been made. */
  add(plan: PlannedLink, { path, created_at }: Link, linkHost: string): void {
    const identity = { web: hashOf(plan.body.destinations?.web), createdMs: parseInstant(created_at) as number };
    // A path that was generated for a trial is another one when the link is made.
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
