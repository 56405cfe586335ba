import { Type } from 'typebox';
import { MATCH_TYPES, OPEN_REASONS } from '../../attribution/outcome.js';
import { INSTALL_ID_CHARACTERS_MAX } from '../../base/limits.js';
import { closedObject, environmentName, nullable, oneOf, page, pageQuery, plainText, text, timestamp } from './fields.js';

export const installParamsSchema = Type.Object({
  install: plainText('Id that the app gave the installation, percent-encoded', 1, INSTALL_ID_CHARACTERS_MAX),
});

const ATTRIBUTIONS = ['attributed', 'organic'] as const;

export const installListQuerySchema = closedObject({
  ...pageQuery,
  attribution: Type.Optional(oneOf(ATTRIBUTIONS, 'Only installations whose first open was matched, or was not')),
  link: Type.Optional(plainText('Only installations that this link has led to, by its id', 1, 64)),
  campaign: Type.Optional(plainText('Only installations that this campaign has led to, by its key', 1, 512)),
});

export const installSchema = Type.Object(
  {
    install_id: text('Id that the app gave the installation'),
    environment: environmentName,
    opened_at: timestamp('When it was opened for the first time'),
    platform: oneOf(['ios', 'android', 'other'], 'Platform of the device'),
    os_version: nullable(text('Version of the operating system, as the app sent it')),
    model: nullable(text('Model of the device, as the app sent it')),
    attribution: oneOf(ATTRIBUTIONS, 'Whether its first open was matched'),
    match_type: nullable(oneOf(MATCH_TYPES, 'The rule that matched')),
    guaranteed: Type.Boolean({ description: 'Whether the match is certain' }),
    reason: oneOf(Object.keys(OPEN_REASONS), 'Why the first open was or was not matched, as the response said then'),
    click_id: nullable(text('Click that it used up, clk_...')),
    link_id: nullable(text('Link that it came from, lnk_...')),
    campaign: nullable(text('Key of the campaign that the link had then')),
    resource_type: nullable(text('Key of the resource type that it came from')),
    item_id: nullable(text('Item that it came from')),
  },
  { description: 'An installation of an app' },
);
export type Install = Type.Static<typeof installSchema>;

export const installPageSchema = page(installSchema, 'A page of installations, newest first');
