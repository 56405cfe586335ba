import type { LinkStatus } from '../../../../shared/contract/schemas/link.js';

export type LinkState = LinkStatus;

/** Every state of the contract. This does not compile if the contract has another one. */
const STATES: Readonly<Record<LinkState, true>> = { active: true, scheduled: true, disabled: true, expired: true, blocked: true };
export const LINK_STATES = Object.keys(STATES) as readonly LinkState[];
