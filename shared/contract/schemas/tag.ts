import Type from 'typebox';
import { TAG_CHARACTERS_MAX } from '../../base/limits.js';
import { closedObject, id, page, pageQuery, plainText, text, timestamp } from './fields.js';

/**
 * Names are case-sensitive: `Sale` and `sale` are two tags. A list of tags in one text is separated by commas, with or without blanks, so a
 * name with a comma, or with a blank at either end, would not be read as it was written.
 */
export const tagName = Type.String({
  format: 'plain-text',
  pattern: '^[^,\\s](?:[^,]*[^,\\s])?$',
  minLength: 1,
  maxLength: TAG_CHARACTERS_MAX,
  description: 'Name of a tag, without commas, and without blanks at either end',
});

export const tagSchema = Type.Object(
  {
    id: id('tag_', 'Id of the tag'),
    name: text('Name of the tag', { examples: ['spring'] }),
    created_at: timestamp('When the tag was first used'),
    updated_at: timestamp('When the tag was last renamed'),
  },
  { description: 'A tag of links' },
);
export type Tag = Type.Static<typeof tagSchema>;

export const tagPatchSchema = closedObject({ name: tagName }, { description: 'Another name' });
export const tagPageSchema = page(tagSchema, 'A page of tags, newest first');
export const tagListQuerySchema = closedObject({
  ...pageQuery,
  search: Type.Optional(plainText('Only tags whose name contains this text, in any case', 1, TAG_CHARACTERS_MAX)),
});
export const tagParamsSchema = Type.Object({ tag: id('tag_', 'Id of the tag') });
