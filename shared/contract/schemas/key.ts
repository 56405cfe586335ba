import Type from 'typebox';
import { environmentName, id, oneOf, text } from './fields.js';
import { SCOPES } from './scopes.js';

export const keySchema = Type.Object(
  {
    id: id('key_', 'Id of the key'),
    environment: environmentName,
    name: text('What the operator has called it'),
    scopes: Type.Array(oneOf(SCOPES, 'A scope'), { description: 'What the key may do' }),
  },
  { description: 'The key of the call' },
);

export type Key = Type.Static<typeof keySchema>;
