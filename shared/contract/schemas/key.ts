import Type from 'typebox';
import { closedObject, environmentName, id, nullable, oneOf, page, pageQuery, text, timestamp } from './fields.js';
import { SCOPES } from './scopes.js';

const scopes = Type.Array(oneOf(SCOPES, 'A scope'), { description: 'What the key may do' });

export const keySchema = Type.Object(
  {
    id: id('key_', 'Id of the key'),
    environment: environmentName,
    name: text('What the operator has called it'),
    scopes,
  },
  { description: 'The key of the request' },
);

const KEY_STATUSES = ['active', 'revoked'] as const;

export const listedKeySchema = Type.Object(
  {
    id: id('key_', 'Id of the key'),
    environment: environmentName,
    name: text('What the operator has called it'),
    kind: oneOf(['secret', 'publishable'], 'A secret key is for servers, a publishable one for apps and browsers'),
    scopes: { ...scopes, description: 'What the key may do. A publishable key has no scopes and is accepted on `/sdk/*` only' },
    prefix: text('How the key begins', { examples: ['sk_live_'] }),
    last4: text('How the key ends', { examples: ['9xQ2'] }),
    status: oneOf(KEY_STATUSES, 'A revoked key is refused'),
    created_at: timestamp('When the key was made'),
    revoked_at: nullable(timestamp('When the key was revoked')),
    last_used_at: nullable(
      timestamp('When the key was last used, to the minute, also for calls that its scopes do not allow; null if never'),
    ),
  },
  { description: 'A key, without its secret part' },
);

export type ListedKey = Type.Static<typeof listedKeySchema>;

export const keyPageSchema = page(listedKeySchema, 'A page of keys, newest first');

export const keyListQuerySchema = closedObject({
  ...pageQuery,
  status: Type.Optional(oneOf(KEY_STATUSES, 'Only keys in this state; without it, all of them')),
});
