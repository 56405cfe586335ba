import Type from 'typebox';
import { EVENT_NAME_CHARACTERS_MAX, INSTALL_ID_CHARACTERS_MAX } from '../../base/limits.js';
import { closedObject, environmentName, id, nullable, oneOf, page, pageQuery, plainText, text, timestamp } from './fields.js';

export const trackedEventCreateSchema = closedObject(
  {
    name: Type.String({
      format: 'plain-text',
      minLength: 1,
      maxLength: EVENT_NAME_CHARACTERS_MAX,
      description: 'What happened',
      examples: ['purchase'],
    }),
    install_id: Type.Optional(nullable(plainText('Installation it belongs to, as the app named it', 1, INSTALL_ID_CHARACTERS_MAX))),
    click_id: Type.Optional(nullable(plainText('Click it belongs to, clk_...', 1, 64))),
    value: Type.Optional(nullable(Type.Number({ description: 'Amount' }))),
    currency: Type.Optional(
      nullable(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code of the amount', examples: ['EUR'] })),
    ),
    properties: Type.Optional(
      Type.Unsafe<Record<string, unknown> | null>({
        type: ['object', 'null'],
        description: 'Custom properties: at most 4,096 bytes as JSON in UTF-8, keys at any depth up to 64 characters',
        examples: [{ sku: 'A-1' }],
      }),
    ),
    occurred_at: Type.Optional(nullable(timestamp('When it happened; by default now'))),
  },
  { description: 'An event to store' },
);

export type TrackedEventCreate = Type.Static<typeof trackedEventCreateSchema>;

export const trackedEventSchema = Type.Object(
  {
    id: id('evt_', 'Id of the event; webhook endpoints get `event.tracked` under the same id'),
    environment: environmentName,
    name: text('What happened'),
    source: oneOf(['sdk', 'server'], 'Who reported it'),
    install_id: nullable(text('Installation it belongs to')),
    click_id: nullable(
      text(
        'Click it belongs to: the one that was named, if the log has it, or else the one that its installation came from. Without an installation, it is the one that was named',
      ),
    ),
    link_id: nullable(text('Link of that click')),
    campaign: nullable(text('Key of the campaign that the link had at the click')),
    resource_type: nullable(text('Key of the resource type of the item that was clicked on')),
    item_id: nullable(text('Item that was clicked on')),
    value: nullable(Type.Number({ description: 'Amount' })),
    currency: nullable(text('ISO 4217 code of the amount')),
    properties: nullable(Type.Record(Type.String(), Type.Unknown(), { description: 'Custom properties' })),
    occurred_at: timestamp('When it happened'),
    created_at: timestamp('When it was stored'),
  },
  { description: 'A tracked event' },
);

export type TrackedEvent = Type.Static<typeof trackedEventSchema>;

export const trackedEventPageSchema = page(trackedEventSchema, 'A page of tracked events, the most recently stored first');

export const trackedEventListQuerySchema = closedObject({
  ...pageQuery,
  install_id: Type.Optional(plainText('Only events of this installation, as the app named it', 1, INSTALL_ID_CHARACTERS_MAX)),
  from: Type.Optional(timestamp('Start of the window in which events were stored; by default 7 days before `to`')),
  to: Type.Optional(timestamp('End of the window; by default now; at most 30 days after `from`')),
});
