import type { Webhook } from '../../../../shared/contract/schemas/webhook.js';

export type EventType = Webhook['events'][number];

/** A label for every type of the contract. This does not compile if the contract has another one. */
export const EVENT_HELP: Readonly<Record<EventType, string>> = {
  'link.created': 'A link was made',
  'link.updated': 'A link was changed',
  'link.disabled': 'A link was disabled or deleted, or has expired',
  'link.blocked': 'A destination stands on the block list',
  'campaign.created': 'A campaign was made',
  'campaign.ended': 'A campaign ended',
  'domain.verified': 'The DNS record was found',
  'domain.failed': 'The DNS record was not found',
  'install.attributed': 'A first open was matched to a click',
  'install.organic': 'A first open was not matched',
  'open.reengaged': 'An install opened the app by a link',
  'event.tracked': 'An event of the app or of a server',
  'click.created': 'Every click: high volume',
};
export const EVENT_TYPES = Object.keys(EVENT_HELP) as readonly EventType[];
