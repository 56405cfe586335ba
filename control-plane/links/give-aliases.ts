import type { Queryable } from '../db/database.js';
import { refuseTaken } from '../http/problems.js';
import { deleteOtherAliases, findAliases, insertAliases, type LinkAddress } from './alias-sql.js';
import { type AliasAddress, aliasAddresses } from './aliases.js';
import type { LinkRow } from './link-row.js';

/** A row of the feed that engines have to follow before visitors find every alias; null if there is none. */
export type AliasesFed = number | null;

/** Of each alias of the rows, whose it is. */
function addressesOf(rows: readonly LinkRow[]): readonly LinkAddress[] {
  return rows.flatMap(({ id, aliases }) => aliasAddresses(aliases).map((address) => ({ link_id: id, ...address })));
}

/**
 * Gives the links of the rows their aliases, in the transaction that writes the links. Throws 409 if another link has one
 * of them.
 */
export async function giveAliases(transaction: Queryable, environmentId: string, rows: readonly LinkRow[]): Promise<AliasesFed> {
  const wanted = addressesOf(rows);
  if (wanted.length === 0) return null;
  const fed = await insertAliases(transaction, environmentId, wanted);
  const owners = await findAliases(transaction, environmentId, wanted);
  const given = new Map(owners.map((owner) => [textOf(owner), owner.link_id]));
  for (const { id, aliases } of rows)
    for (const [place, address] of aliasAddresses(aliases).entries())
      if (given.get(textOf(address)) !== id) throw aliasTaken(address, `/aliases/${place}`);
  return fed;
}

/** The same for a link that may have other aliases so far. Those are free at once. */
export async function replaceAliases(transaction: Queryable, environmentId: string, row: LinkRow): Promise<AliasesFed> {
  const removed = await deleteOtherAliases(transaction, row.id, aliasAddresses(row.aliases));
  const added = await giveAliases(transaction, environmentId, [row]);
  return added === null ? removed : Math.max(added, removed ?? 0);
}

/** `pointer` leads to the alias in the body. */
export function aliasTaken(address: AliasAddress, pointer: string) {
  return refuseTaken(pointer, `The alias ${textOf(address)} is taken.`);
}

export function textOf({ host, normal_path }: AliasAddress): string {
  return `${host}/${normal_path}`;
}
