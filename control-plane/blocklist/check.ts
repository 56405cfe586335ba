import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { DESTINATION_SLOTS, type DestinationSlot } from '../../shared/records/records.js';
import { blocklistKeys } from '../../shared/resolve/blocklist.js';
import type { DestinationOutcome } from '../../shared/resolve/stored-destination.js';
import type { Queryable } from '../db/database.js';
import { fieldError } from '../http/problems.js';
import { hasEntries, listedKeys } from './sql.js';

/** A URL as it is stored, and its position in the body. */
export interface PlacedDestination {
  readonly pointer: string;
  readonly url: string;
}

/** Computing the keys of this many destinations takes as long as asking whether any list has entries. Many operators have no list. */
const MANY = 16;

/** The URLs that are on the operator's block list. Any number of them takes one statement. */
export async function blockedUrls(database: Queryable, urls: readonly string[]): Promise<ReadonlySet<string>> {
  if (urls.length > MANY && !(await hasEntries(database))) return new Set();
  const keysOf = new Map<string, readonly string[]>();
  for (const url of urls) if (!keysOf.has(url)) keysOf.set(url, blocklistKeys(url));
  const keys = new Set([...keysOf.values()].flat());
  if (keys.size === 0) return new Set();
  const listed = await listedKeys(database, [...keys]);
  return new Set([...keysOf].filter(([, own]) => own.some((key) => listed.has(key))).map(([url]) => url));
}

/** Whether any of a link's stored URLs is on the block list. */
export async function leadsToBlocked(database: Queryable, urls: readonly string[]): Promise<boolean> {
  return (await blockedUrls(database, urls)).size > 0;
}

/** An error for each of the destinations that is blocked. If a response has only such errors, its code is `url_blocked`. */
export function blockedErrors(destinations: readonly PlacedDestination[], blocked: ReadonlySet<string>): readonly FieldError[] {
  return destinations
    .filter(({ url }) => blocked.has(url))
    .map(({ pointer }) => fieldError('body', pointer, 'url_blocked', 'leads to a host or URL on the block list'));
}

/** Like `blockedErrors`, but also looks up the destinations. */
export async function findBlockedErrors(database: Queryable, destinations: readonly PlacedDestination[]): Promise<readonly FieldError[]> {
  const blocked = await blockedUrls(
    database,
    destinations.map(({ url }) => url),
  );
  return blockedErrors(destinations, blocked);
}

type Store = (text: string, slot: DestinationSlot, ownSchemes: null) => DestinationOutcome;

/** The members of an unchecked object of destinations, below its pointer, as `store` would store them, without those that it refuses. */
export function placedDestinations(pointer: string, destinations: unknown, store: Store): readonly PlacedDestination[] {
  if (typeof destinations !== 'object' || destinations === null) return [];
  const slots = destinations as Readonly<Record<string, unknown>>;
  return DESTINATION_SLOTS.flatMap((slot) => {
    const text = slots[slot];
    const outcome = typeof text === 'string' ? store(text, slot, null) : null;
    return outcome?.kind === 'ok' ? [{ pointer: `${pointer}/${slot}`, url: outcome.url }] : [];
  });
}
