import { createHash } from 'node:crypto';
import { GENERATED_PATH_CHARACTERS, PATH_CHARACTERS_MAX } from '../../shared/base/limits.js';
import { base62Of } from '../../shared/base/random-text.js';
import type { LinkCreate } from '../../shared/contract/schemas/link.js';
import { asciiHostName } from '../../shared/net/host-name.js';
import { isTooDeep } from '../../shared/resolve/data-rules.js';
import { aliasPath } from '../../shared/resolve/normal-path.js';
import { canonicalJson } from '../http/canonical-json.js';
import { isReservedPath } from '../links/rules.js';
import type { SourceAddress, SourceLink } from './sources/source-link.js';

/** The environment into which links are imported, by its hosts. */
export interface TargetHosts {
  readonly environmentId: string;
  readonly linkHost: string;
  /** Maps the hosts of the other service, as `hostKey` writes them, to hosts of this one. A host without an entry becomes the link host. */
  readonly hosts: ReadonlyMap<string, string>;
}

/** A link to create, and the fields that its creation would leave out. */
export interface PlannedLink {
  readonly source: SourceLink;
  readonly body: LinkCreate;
  readonly lost: readonly string[];
  /** How many of the paths that are derived from its content were taken; null if the source names an address. */
  readonly ownPathsTaken: number | null;
}

const SHORT_PATH = new RegExp(`^[A-Za-z0-9_-]{1,${PATH_CHARACTERS_MAX}}$`);

/**
 * The address as the path of a link, which every host of the environment answers, with and without a slash at its end; undefined if it
 * cannot be one.
 */
function pathOf(address: SourceAddress): string | undefined {
  const path = address.path.replace(/\/$/, '');
  return SHORT_PATH.test(path) && !isReservedPath(path) ? path : undefined;
}

/**
 * A host in the form in which hosts are compared: an international name in ASCII, and anything else, such as a name with a port, in lower
 * case.
 */
export function hostKey(host: string): string {
  return asciiHostName(host) || host.toLowerCase();
}

/** The host that replaces the one of the address; undefined if none was given. */
function namedHost({ host }: SourceAddress, { hosts }: TargetHosts): string | undefined {
  return host === null || hosts.size === 0 ? undefined : hosts.get(hostKey(host));
}

function hostOf(address: SourceAddress, target: TargetHosts): string {
  return namedHost(address, target) ?? target.linkHost;
}

/**
 * Why a link cannot have its path as an alias when another link has that path; null if it can. A host for which none was given becomes the
 * link host, and there the alias would take the visits of that other link.
 */
export function aliasFault({ addresses: [first] }: SourceLink, target: TargetHosts): string | null {
  if (first === undefined || namedHost(first, target) !== undefined) return null;
  const from = first.host === null ? 'the link has no old host' : `no host here replaces ${first.host}`;
  return `An alias on the link host would take the visits of that link, and ${from}.`;
}

/**
 * The path of a link without an address. It is derived from what distinguishes the link from others: its place in the file, and its fields
 * except for the password.
 */
function ownPath({ id, fields }: SourceLink, { environmentId }: TargetHosts, taken: number): string {
  const { password: _, ...content } = fields;
  const all = [environmentId, id, content, taken];
  // `JSON.stringify` recurses. What is too deep for it is refused later.
  const told = isTooDeep(content) ? canonicalJson(all) : JSON.stringify(all);
  for (let round = 0; ; round++) {
    const path = base62Of(createHash('sha256').update(`${round} ${told}`).digest(), GENERATED_PATH_CHARACTERS);
    if (!isReservedPath(path)) return path;
  }
}

/**
 * The link as it would be created: its first address is its path if it can be one, and every other address is an alias. `byAlias` means
 * that another link has the path, so that the first address becomes an alias as well. A link without an address gets a path that is the
 * same in every run; `taken` is the number of such paths that were taken.
 */
export function planLink(source: SourceLink, target: TargetHosts, byAlias: boolean, taken = 0): PlannedLink {
  const [first, ...others] = source.addresses;
  if (first === undefined)
    return { source, lost: source.lost, ownPathsTaken: taken, body: { ...source.fields, path: ownPath(source, target, taken) } };
  const path = byAlias ? undefined : pathOf(first);
  const aliased = path !== undefined ? others : [first, ...others];
  const seen = new Set<string>();
  const aliases = aliased.flatMap((address) => {
    const alias = { host: hostOf(address, target), path: address.path };
    const normal = aliasPath(`/${alias.path}`) ?? alias.path;
    const text = `${alias.host}/${normal}`;
    if (normal === path || seen.has(text)) return [];
    seen.add(text);
    return [alias];
  });
  const host = hostOf(first, target);
  return {
    source,
    lost: source.lost,
    ownPathsTaken: null,
    body: {
      ...source.fields,
      ...(path === undefined ? {} : { path }),
      ...(host === target.linkHost ? {} : { domain: host }),
      ...(aliases.length === 0 ? {} : { aliases }),
    },
  };
}

/** Returns the link without the members that a refusal points at. Null if that would remove an address or the web destination. */
export function withoutFields(planned: PlannedLink, pointers: readonly string[]): PlannedLink | null {
  if (pointers.some((pointer) => /^(?:|\/path|\/aliases\b.*|\/destinations\/web)$/.test(pointer))) return null;
  const body: Record<string, unknown> = { ...planned.body };
  const lost = new Set(planned.lost);
  let hasFewer = false;
  for (const pointer of pointers) {
    const [name = '', member] = pointer.split('/').slice(1);
    const object = body[name];
    if (
      (name === 'destinations' || name === 'card' || name === 'geo') &&
      member !== undefined &&
      typeof object === 'object' &&
      object !== null
    ) {
      hasFewer ||= holds(object, member);
      body[name] = Object.fromEntries(Object.entries(object).filter(([key]) => key !== member));
      lost.add(`${name}.${member}`);
    } else {
      hasFewer ||= holds(body, name);
      delete body[name];
      lost.add(name);
    }
  }
  // The link would be refused again, because the refusal points at nothing in it.
  if (!hasFewer) return null;
  return { ...planned, body: body as LinkCreate, lost: [...lost] };
}

function holds(object: object, member: string): boolean {
  return Object.hasOwn(object, member) && object[member as keyof typeof object] !== undefined;
}
