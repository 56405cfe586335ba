import { TAGS_MAX } from '../../shared/base/limits.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { asciiHostName } from '../../shared/net/host-name.js';
import { isWebUrl } from '../../shared/resolve/destination-safety.js';
import { appSchemes, type OwnSchemes, type StoreDestination, storedDestination } from '../../shared/resolve/stored-destination.js';
import { blockedErrors, blockedUrls, type PlacedDestination, placedDestinations } from '../blocklist/check.js';
import type { Queryable } from '../db/database.js';
import { readEnvironmentRecord } from '../environment/environment-record.js';
import { fieldError, refuseFields } from '../http/problems.js';
import { countTags } from '../tags/sql.js';
import { linkHosts } from './alias-sql.js';
import { aliasErrors, aliasHosts } from './aliases.js';
import { placedImage } from './card.js';
import { placedGeo } from './geo.js';
import { linkFieldErrors } from './rules.js';
import * as sql from './sql.js';

/** A link's body as it was received. Its fields may have any type; the schema reports the wrong ones separately. */
export type LinkBody = Readonly<Record<string, unknown>>;

/**
 * Checks the rules for each body's fields and looks up what they name. The number of statements does not depend on the number of bodies. A
 * campaign is never deleted, so it still exists when the link is written.
 */
export async function linkErrors(
  database: Queryable,
  environmentId: string,
  bodies: readonly LinkBody[],
  nowMs: number,
  store: StoreDestination = storedDestination,
): Promise<readonly (readonly FieldError[])[]> {
  const campaigns = await knownOf(bodies, 'campaign', (keys) => sql.knownCampaigns(database, environmentId, keys));
  const domains = await knownOf(bodies, 'domain', (names) => sql.verifiedDomains(database, environmentId, names), asciiHostName);
  const hosts = new Set(await hostsOfAliases(database, environmentId, bodies));
  const urls = bodies.map((body) => [
    ...placedDestinations('/destinations', body.destinations, store),
    ...placedImage(body.card),
    ...placedGeo(body.geo),
  ]);
  const blocked = await blockedUrls(
    database,
    urls.flat().map(({ url }) => url),
  );
  const ownSchemes = await schemesFor(urls.flat(), database, environmentId);
  const withoutRoom = await bodiesWithoutRoom(database, environmentId, bodies);
  return bodies.map((body, index) => {
    const errors = [...linkFieldErrors(body, { ownSchemes, nowMs, store }), ...aliasErrors(body.aliases, hosts)];
    if (isLookedUp(body.campaign) && !campaigns.has(body.campaign))
      errors.push(fieldError('body', '/campaign', 'unknown_campaign', 'is not a campaign of this environment'));
    if (isLookedUp(body.domain) && !domains.has(asciiHostName(body.domain))) errors.push(unknownDomain('/domain'));
    if (withoutRoom.has(body))
      errors.push(
        fieldError('body', '/tags', 'too_many', `An environment has at most ${TAGS_MAX} tags: use tags that exist, or delete one first.`),
      );
    if (blocked.size === 0) return errors;
    const wrong = new Set(errors.map((error) => error.pointer));
    const well = (urls[index] ?? []).filter(({ pointer }) => !wrong.has(pointer));
    return [...errors, ...blockedErrors(well, blocked)];
  });
}

/** `pointer` points to the domain in the body. */
export function unknownDomain(pointer: string): FieldError {
  return fieldError('body', pointer, 'unknown_domain', 'is not a verified domain of this environment');
}

/** Refuses a domain that was lost after `linkErrors` had found it. To be sure that it stays, call this under `lockAddresses`. */
export async function requireVerified(database: Queryable, environmentId: string, domain: string | null): Promise<void> {
  if (domain !== null && (await sql.verifiedDomains(database, environmentId, [domain])).length === 0)
    throw refuseFields([unknownDomain('/domain')]);
}

const NO_SCHEMES: OwnSchemes = { ios: [], android: [] };

/** The schemes of the environment's apps; they are not read if no destination has a scheme of its own. */
async function schemesFor(destinations: readonly PlacedDestination[], database: Queryable, environmentId: string): Promise<OwnSchemes> {
  if (destinations.every(({ url }) => isWebUrl(url))) return NO_SCHEMES;
  return appSchemes(await readEnvironmentRecord(database, environmentId));
}

async function knownOf(
  bodies: readonly LinkBody[],
  member: 'campaign' | 'domain',
  find: (names: readonly string[]) => Promise<readonly string[]>,
  asStored: (name: string) => string = (name) => name,
): Promise<ReadonlySet<string>> {
  const names = new Set(
    bodies
      .map((body) => body[member])
      .filter(isLookedUp)
      .map(asStored),
  );
  return names.size === 0 ? names : new Set(await find([...names]));
}

/** Which of the hosts that aliases name are hosts of the environment's links. */
async function hostsOfAliases(database: Queryable, environmentId: string, bodies: readonly LinkBody[]): Promise<readonly string[]> {
  const names = new Set(bodies.flatMap(({ aliases }) => aliasHosts(aliases)).filter((name) => name !== ''));
  return names.size === 0 ? [] : linkHosts(database, environmentId, [...names]);
}

function tagsOf({ tags }: LinkBody): readonly string[] {
  return Array.isArray(tags) ? tags.filter(isLookedUp) : [];
}

/**
 * The bodies with a new tag past those that the environment may still have, in their order. Tags that another call creates in the meantime
 * are not seen, so the limit is not exact.
 */
async function bodiesWithoutRoom(database: Queryable, environmentId: string, bodies: readonly LinkBody[]): Promise<ReadonlySet<LinkBody>> {
  const names = new Set(bodies.flatMap(tagsOf));
  if (names.size === 0) return new Set();
  const { count, known } = await countTags(database, environmentId, [...names]);
  const given = new Set(known);
  let room = Math.max(0, TAGS_MAX - count);
  return new Set(
    bodies.filter((body) => {
      const made = new Set(tagsOf(body).filter((name) => !given.has(name)));
      if (made.size > room) return true;
      for (const name of made) given.add(name);
      room -= made.size;
      return false;
    }),
  );
}

/** Whether the value is looked up. The schema already refuses NUL, the one character that PostgreSQL's text cannot hold. */
function isLookedUp(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}
