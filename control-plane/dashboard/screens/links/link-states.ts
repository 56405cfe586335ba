import type { Link, LinkStatus } from '../../../../shared/contract/schemas/link.js';
import type { ListedLink } from '../../../../shared/contract/schemas/link-list.js';

export type LinkState = LinkStatus;

/** Every state of the contract. This does not compile if the contract has another one. */
const STATES: Readonly<Record<LinkState, true>> = { active: true, scheduled: true, disabled: true, expired: true, blocked: true };
export const LINK_STATES = Object.keys(STATES) as readonly LinkState[];

/** A link of a list that is not deleted. Every action is possible. */
export type LiveLink = ListedLink & Pick<Link, 'status'>;

export function isLive(link: ListedLink): link is LiveLink {
  return link.status !== 'deleted';
}
