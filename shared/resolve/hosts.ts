import type { EnvironmentRecord } from '../records/records.js';

/** `link` answers links; `open` serves the page that opens the app, which works only from another host. */
export type HostRole = 'link' | 'open';

/** The fields that name an environment's own hosts. */
export type HostOwner = Pick<EnvironmentRecord, 'number' | 'link_host' | 'open_host'>;

/** A verified custom host and the environment that owns it. */
export interface OwnedDomain {
  readonly environment_number: number;
  readonly hostname: string;
}

export interface HostOf<Owner extends HostOwner> {
  readonly owner: Owner;
  /** In the form that `normaliseHost` returns. */
  readonly host: string;
  readonly role: HostRole;
}

/**
 * Returns which environment answers which host. A host that is named twice stays with the first environment that names
 * it. The operator's hosts take precedence over a customer's: link hosts, then open hosts, then custom hosts.
 */
export function assignHosts<Owner extends HostOwner>(
  owners: readonly Owner[],
  domains: readonly OwnedDomain[],
): ReadonlyMap<string, HostOf<Owner>> {
  const hosts = new Map<string, HostOf<Owner>>();
  const add = (owner: Owner, name: string, role: HostRole): void => {
    const host = normaliseHost(name);
    if (!hosts.has(host)) hosts.set(host, { owner, host, role });
  };
  for (const owner of owners) add(owner, owner.link_host, 'link');
  for (const owner of owners) add(owner, owner.open_host, 'open');
  const byNumber = new Map(owners.map((owner) => [owner.number, owner]));
  for (const { environment_number, hostname } of domains) {
    const owner = byNumber.get(environment_number);
    if (owner !== undefined) add(owner, hostname, 'link');
  }
  return hosts;
}

/** Returns a host name in one form. Host names are case-insensitive (RFC 4343), may end in a dot, and may come with a port. */
export function normaliseHost(host: string): string {
  const colon = host.lastIndexOf(':');
  const name = colon > host.lastIndexOf(']') && isDigits(host, colon + 1) ? host.slice(0, colon) : host;
  return (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase();
}

function isDigits(text: string, from: number): boolean {
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x30 || code > 0x39) return false;
  }
  return true;
}
