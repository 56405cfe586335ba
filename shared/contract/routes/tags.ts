import { tagListQuerySchema, tagPageSchema, tagParamsSchema, tagPatchSchema, tagSchema } from '../schemas/tag.js';
import type { UntaggedRoute } from './route.js';
import { READ_LINKS, WRITE_LINKS } from './scopes.js';

export const TAG_ROUTES = {
  listTags: {
    method: 'GET',
    path: '/tags',
    summary: 'List tags',
    description: 'A tag is made when a link first names it.',
    scopes: READ_LINKS,
    query: tagListQuerySchema,
    response: { status: 200, description: 'A page of tags, newest first', schema: tagPageSchema },
  },
  getTag: {
    method: 'GET',
    path: '/tags/{tag}',
    summary: 'Read a tag',
    scopes: READ_LINKS,
    params: tagParamsSchema,
    response: { status: 200, description: 'The tag', schema: tagSchema, etag: true },
  },
  updateTag: {
    method: 'PATCH',
    path: '/tags/{tag}',
    summary: 'Rename a tag',
    description:
      'All links that have the tag show the new name at once. Their `updated_at` stays, and no event is emitted. Saved and shared views that filter by the tag go on with the new name. A name that another tag has is taken (409).',
    scopes: WRITE_LINKS,
    params: tagParamsSchema,
    body: tagPatchSchema,
    examples: { rename: { name: 'spring 2027' } },
    response: { status: 200, description: 'The tag after the change', schema: tagSchema, etag: true },
    problems: ['conflict'],
  },
  deleteTag: {
    method: 'DELETE',
    path: '/tags/{tag}',
    summary: 'Delete a tag',
    description:
      'No link shows it any more. Their `updated_at` stays, and no event is emitted. Saved and shared views that filter by the tag keep its name and show no clicks, as long as no other tag gets that name: without the filter a shared view would show more than it was shared for.',
    scopes: WRITE_LINKS,
    params: tagParamsSchema,
    response: { status: 204, description: 'Deleted' },
  },
} as const satisfies Record<string, UntaggedRoute>;
