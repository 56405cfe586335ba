import Type from 'typebox';
import { RESOURCE_TYPE_KEY_CHARACTERS_MAX, RESOURCE_TYPE_NAME_CHARACTERS_MAX } from '../../base/limits.js';
import { closedObject, id, oneOf, page, pageQuery, plainText, text, timestamp } from './fields.js';

const RESOURCE_TYPE_STATUSES = ['active', 'archived'] as const;

export const resourceTypeSchema = Type.Object(
  {
    id: id('rt_', 'Id of the resource type'),
    key: text('Stable machine name, used in payloads. It never changes and cannot be used for another type', { examples: ['product'] }),
    name: text('For people'),
    status: oneOf(RESOURCE_TYPE_STATUSES, 'Templates of an archived type resolve nothing, and their patterns stay taken'),
    created_at: timestamp('When the type was made'),
    updated_at: timestamp('When the type was last changed'),
  },
  { description: 'A resource type: what the items behind a URL template are' },
);
export type ResourceType = Type.Static<typeof resourceTypeSchema>;

const name = plainText('For people', 1, RESOURCE_TYPE_NAME_CHARACTERS_MAX);

export const resourceTypeCreateSchema = closedObject(
  {
    key: Type.String({
      pattern: '^[a-z][a-z0-9_-]*$',
      minLength: 1,
      maxLength: RESOURCE_TYPE_KEY_CHARACTERS_MAX,
      description: 'Stable machine name: lower-case letters, digits, `_` and `-`, starting with a letter',
      examples: ['product'],
    }),
    name,
  },
  { description: 'A resource type to make' },
);

export const resourceTypePatchSchema = closedObject(
  {
    name: Type.Optional(name),
    status: Type.Optional(oneOf(RESOURCE_TYPE_STATUSES, '`archived` is final')),
  },
  { description: 'Fields to change. An absent field keeps its value. The key cannot change.' },
);
export type ResourceTypePatch = Type.Static<typeof resourceTypePatchSchema>;

export const resourceTypePageSchema = page(resourceTypeSchema, 'A page of resource types, newest first');

export const resourceTypeListQuerySchema = closedObject({
  ...pageQuery,
  status: Type.Optional(oneOf(RESOURCE_TYPE_STATUSES, 'Only types in this state; by default those that are not archived')),
});

export const resourceTypeParamsSchema = Type.Object({ type: id('rt_', 'Id of the resource type') });
