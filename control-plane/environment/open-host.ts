import type { Queryable } from '../db/database.js';
import { lockHostNames } from './host-locks.js';
import { isBelowOwnHost } from './rules.js';
import * as sql from './sql.js';

/**
 * The open host of the environment, if only this verified domain allows it: it is a name below the domain, and neither below the link host
 * nor below another verified domain. Otherwise null. The environment stays locked until the transaction ends, so that no other call moves
 * the open host below the domain in the meantime.
 */
export async function openHostOfDomain(transaction: Queryable, environmentId: string, hostname: string): Promise<string | null> {
  const { open_host, link_host } = await sql.lockSettings(transaction, environmentId);
  if (!isBelowOwnHost(open_host, [hostname])) return null;
  const others = (await sql.verifiedHostnames(transaction, environmentId)).filter((other) => other !== hostname);
  return isBelowOwnHost(open_host, [link_host, ...others]) ? null : open_host;
}

/** Resets the open host if it is not allowed without the domain. Call it before the domain is written. */
export async function leaveDomain(transaction: Queryable, environmentId: string, hostname: string, at: Date): Promise<void> {
  const { link_host } = await sql.readEnvironment(transaction, environmentId);
  // A change of the hosts (`changeHosts`) also locks names before it locks the environment.
  await lockHostNames(transaction, [`open.${link_host}`]);
  if ((await openHostOfDomain(transaction, environmentId, hostname)) !== null) await sql.resetOpenHost(transaction, environmentId, at);
}
