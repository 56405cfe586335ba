import Type from 'typebox';
import { PATH_CHARACTERS_MAX, SEARCH_CHARACTERS_MAX, TAG_CHARACTERS_MAX } from '../../base/limits.js';
import { closedObject, count, oneOf, page, pageQuery, plainText, timestamp } from './fields.js';
import { LINK_STATUS_HELP, LINK_STATUSES, linkSchema } from './link.js';

/** Days over which the clicks of links in a list are added up, today included. */
export const LINK_CLICKS_DAYS = 30;

const CLICKS_HELP = `Clicks by people over the last ${LINK_CLICKS_DAYS} days of the project, today included: the same as \`totals.human\` of the range \`30d\` in the statistics of the link. It is summed up in the background and is some seconds old, or minutes if hundreds of thousands of links are clicked on all the time`;

/** The statuses of a listed link, including the one that deleted links have in their own list. */
export const LISTED_STATUSES = [...LINK_STATUSES, 'deleted'] as const;

const listedLinkSchema = Type.Object(
  {
    ...linkSchema.properties,
    status: oneOf(LISTED_STATUSES, `${LINK_STATUS_HELP}; \`deleted\` is shown with \`status=deleted\` only`),
    deleted_at: Type.Optional(timestamp('When the link was deleted. Only with `status=deleted`')),
    clicks: Type.Optional(count(`${CLICKS_HELP}. Only with \`include\``)),
    daily_clicks: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0 }), {
        description: `Clicks by people on each of the last ${LINK_CLICKS_DAYS} days of the project, oldest first and today last, as counted so far. Only with \`include=daily_clicks\`, and absent while the store of clicks is unavailable`,
      }),
    ),
  },
  { description: 'A short link in a list' },
);

export type ListedLink = Type.Static<typeof listedLinkSchema>;

export const linkPageSchema = page(listedLinkSchema, 'A page of links, newest first unless they are sorted otherwise');

export const LINK_SORTS = ['created_at', 'name', 'clicks'] as const;
export type LinkSort = (typeof LINK_SORTS)[number];

/** Query fields that select links, except `archived`. */
export const linkFilterQuery = {
  status: Type.Optional(oneOf(LINK_STATUSES, 'Only links in this state')),
  campaign: Type.Optional(plainText('Only links of the campaign with this key', 1, 64)),
  path: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]+$',
      minLength: 1,
      maxLength: PATH_CHARACTERS_MAX,
      description: 'Only links whose path begins with this',
    }),
  ),
  search: Type.Optional(
    plainText(
      'Only links that contain this text in the path, the path of an alias, the title, a destination (also one by country) or the name of a tag. Case does not matter, nor whether the text is escaped as in a URL. Short texts find less: only links whose path or title begins with the text, and links with a tag that contains it. A text is short if it has one or two characters, or if it has neither three letters or digits in a row nor two next to a blank or sign.',
      1,
      SEARCH_CHARACTERS_MAX,
    ),
  ),
  tag: Type.Optional(plainText('Only links with the tag of this name', 1, TAG_CHARACTERS_MAX)),
  created_from: Type.Optional(timestamp('Only links made at this time or later')),
  created_to: Type.Optional(timestamp('Only links made at this time or earlier')),
};

const linkFilterSchema = Type.Object(linkFilterQuery);
export type LinkFilterQuery = Type.Static<typeof linkFilterSchema>;

export const linkListQuerySchema = closedObject({
  ...pageQuery,
  cursor: Type.Optional({
    ...pageQuery.cursor,
    description:
      '`next_cursor` of the previous page, with the same `sort` and `order`, and either both with `status=deleted` or both without it',
  }),
  ...linkFilterQuery,
  status: Type.Optional(
    oneOf(
      LISTED_STATUSES,
      'Only links in this state. `deleted`: links that `POST /links/{link}/restore` can restore, including archived ones. It cannot be combined with `archived` or `sort=clicks`',
    ),
  ),
  archived: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether to list archived links instead of those that are not archived' }),
  ),
  sort: Type.Optional(
    oneOf(
      LINK_SORTS,
      `What links are sorted by. \`name\`: the title, or else the path. \`clicks\`: ${CLICKS_HELP}. By default the newest come first.`,
    ),
  ),
  order: Type.Optional(oneOf(['asc', 'desc'], 'By default `asc` for `name`, and `desc` for everything else')),
  include: Type.Optional(oneOf(['clicks', 'daily_clicks'], 'What to add to each link: its total clicks, or also its clicks of each day')),
});

export type LinkListQuery = Type.Static<typeof linkListQuerySchema>;
