import type { LinkAlias } from '../../shared/records/records.js';
import type { Queryable } from '../db/database.js';
import { refuseFields, refuseTaken } from '../http/problems.js';
import { deleteOtherAliases, findOwners, insertAliases, type LinkAddress, linkHosts } from './alias-sql.js';
import { type AliasAddress, aliasAddresses, unknownAliasHost } from './aliases.js';
import type { LinkRow } from './link-row.js';

/** The paths of the aliases, as `lockAddresses` takes them. */
export function aliasPathsOf(aliases: readonly LinkAlias[]): readonly string[] {
  return aliasAddresses(aliases).map(({ normal_path }) => normal_path);
}

/** The address of each alias of the rows, with the id of its link. */
function addressesOf(rows: readonly LinkRow[]): readonly LinkAddress[] {
  return rows.flatMap(({ id, aliases }) => aliasAddresses(aliases).map((address) => ({ link_id: id, ...address })));
}

/**
 * Adds the aliases of the rows to their links, in the transaction that writes the links and under `lockAddresses`. Throws 409 if another
 * link has one of them or is shown with it, and 422 if a host was lost after `linkErrors` had found it: its links keep their
 * addresses there until it returns. `kept` are the aliases that the links have already.
 */
export async function giveAliases(
  transaction: Queryable,
  environmentId: string,
  rows: readonly LinkRow[],
  kept: ReadonlySet<string> = NONE,
): Promise<void> {
  const wanted = addressesOf(rows).filter((address) => !kept.has(textOf(address)));
  if (wanted.length === 0) return;
  await insertAliases(transaction, environmentId, wanted);
  const owners = await findOwners(transaction, environmentId, wanted);
  const wantedBy = new Map(wanted.map((address) => [textOf(address), address.link_id]));
  // Look for the hosts later than for the owners: a link of a lost domain does not count as shown there.
  const hosts = await linkHosts(transaction, environmentId, [...new Set(wanted.map(({ host }) => host))]);
  const taken = new Set(owners.filter((owner) => wantedBy.get(textOf(owner)) !== owner.link_id).map(textOf));
  for (const { aliases } of rows)
    for (const [place, address] of aliasAddresses(aliases).entries())
      if (taken.has(textOf(address))) throw aliasTaken(address, `/aliases/${place}`);
      else if (wantedBy.has(textOf(address)) && !hosts.includes(address.host))
        throw refuseFields([unknownAliasHost(`/aliases/${place}/host`)]);
}

const NONE: ReadonlySet<string> = new Set();

/** Does the same for a link that had other aliases before. Those are free at once. */
export async function replaceAliases(
  transaction: Queryable,
  environmentId: string,
  before: Pick<LinkRow, 'aliases'>,
  row: LinkRow,
): Promise<void> {
  await deleteOtherAliases(transaction, row.id, aliasAddresses(row.aliases));
  const kept = new Set(aliasAddresses(before.aliases).map(textOf));
  await giveAliases(transaction, environmentId, [row], kept);
}

/** Whether another link has the address as an alias. */
export async function isAliasOfOther(database: Queryable, environmentId: string, address: LinkAddress): Promise<boolean> {
  const owners = await findOwners(database, environmentId, [address]);
  return owners.some(({ link_id }) => link_id !== address.link_id);
}

/** `pointer` points to the part of the body that gives the address. */
export function addressTaken(address: AliasAddress, pointer: string) {
  return refuseTaken(pointer, `The address ${textOf(address)} is an alias of another link.`);
}

/** `pointer` points to the alias in the body. */
export function aliasTaken(address: AliasAddress, pointer: string) {
  return refuseTaken(pointer, `The alias ${textOf(address)} is taken.`);
}

export function textOf({ host, normal_path }: AliasAddress): string {
  return `${host}/${normal_path}`;
}
