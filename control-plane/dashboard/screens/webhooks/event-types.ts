import type { Webhook } from '../../../../shared/contract/schemas/webhook.js';
import { type Message, message } from '../../language/text.js';

export type EventType = Webhook['events'][number];

/** A label for every type of the contract. This does not compile if the contract has another one. */
export const EVENT_HELP: Readonly<Record<EventType, Message>> = {
  'link.created': message('A link was created'),
  'link.updated': message('A link was changed'),
  'link.disabled': message('A link was disabled or deleted, or has expired'),
  'link.blocked': message('A destination is on the block list'),
  'campaign.created': message('A campaign was created'),
  'campaign.ended': message('A campaign ended'),
  'domain.verified': message('The DNS record was found'),
  'domain.failed': message('The DNS record was not found'),
  'install.attributed': message('A first open was matched to a click'),
  'install.organic': message('A first open was not matched'),
  'open.reengaged': message('An install opened the app through a link'),
  'event.tracked': message('An event from the app or a server'),
  'click.created': message('Every click: high volume'),
};
export const EVENT_TYPES = Object.keys(EVENT_HELP) as readonly EventType[];
