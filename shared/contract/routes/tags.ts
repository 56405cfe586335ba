import { tagListQuerySchema, tagPageSchema, tagParamsSchema, tagPatchSchema, tagSchema } from '../schemas/tag.js';
import type { UntaggedRoute } from './route.js';
import { READ_LINKS, WRITE_LINKS } from './scopes.js';

export const TAG_ROUTES = {
  listTags: {
    method: 'GET',
    path: '/tags',
    summary: 'List tags',
    description: 'A tag is created when a link first uses it.',
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
      'All links that have the tag show the new name at once. Their `updated_at` does not change, and no event is emitted. Saved and shared views that filter by the tag use the new name from then on. The name of another tag is refused (409).',
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
      'The tag is removed from all links. Their `updated_at` does not change, and no event is emitted. Saved and shared views that filter by the tag keep the filter and show no clicks until another tag gets that name. The filter stays because a shared view would otherwise show more than it was shared for.',
    scopes: WRITE_LINKS,
    params: tagParamsSchema,
    response: { status: 204, description: 'Deleted' },
  },
} as const satisfies Record<string, UntaggedRoute>;
