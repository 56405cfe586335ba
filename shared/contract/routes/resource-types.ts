import {
  resourceTypeCreateSchema,
  resourceTypeListQuerySchema,
  resourceTypePageSchema,
  resourceTypeParamsSchema,
  resourceTypePatchSchema,
  resourceTypeSchema,
} from '../schemas/resource-type.js';
import type { UntaggedRoute } from './route.js';
import { READ_LINKS, WRITE_LINKS } from './scopes.js';

export const RESOURCE_TYPE_ROUTES = {
  listResourceTypes: {
    method: 'GET',
    path: '/resource-types',
    summary: 'List resource types',
    description: 'Archived types are left out unless you set `status=archived`.',
    scopes: READ_LINKS,
    query: resourceTypeListQuerySchema,
    response: { status: 200, description: 'A page of resource types, newest first', schema: resourceTypePageSchema },
  },
  createResourceType: {
    method: 'POST',
    path: '/resource-types',
    summary: 'Create a resource type',
    description:
      'A key can be used only once, and stays taken when its type is archived: a taken key is 409. An environment has at most 20 types that are not archived; one more is 409.',
    scopes: WRITE_LINKS,
    body: resourceTypeCreateSchema,
    examples: { product: { key: 'product', name: 'Products' } },
    response: { status: 201, description: 'The resource type', schema: resourceTypeSchema, etag: true },
  },
  getResourceType: {
    method: 'GET',
    path: '/resource-types/{type}',
    summary: 'Read a resource type',
    description: 'Also returns archived types.',
    scopes: READ_LINKS,
    params: resourceTypeParamsSchema,
    response: { status: 200, description: 'The resource type', schema: resourceTypeSchema, etag: true },
  },
  updateResourceType: {
    method: 'PATCH',
    path: '/resource-types/{type}',
    summary: 'Rename or archive a resource type',
    description:
      'Archiving is final. The templates of the type stop resolving, their patterns stay taken until the templates are archived too, and the key stays taken. Archiving again is 200; any other change of an archived type is 409. A request that changes nothing does not change `updated_at`.',
    scopes: WRITE_LINKS,
    params: resourceTypeParamsSchema,
    body: resourceTypePatchSchema,
    examples: { rename: { name: 'Goods' }, archive: { status: 'archived' } },
    response: { status: 200, description: 'The resource type after the change', schema: resourceTypeSchema, etag: true },
    problems: ['conflict'],
  },
} as const satisfies Record<string, UntaggedRoute>;
