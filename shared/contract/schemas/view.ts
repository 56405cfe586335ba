import Type from 'typebox';
import { DAY_RANGE_DEFAULT, DAY_RANGES } from '../../base/day-ranges.js';
import { PASSWORD_CHARACTERS_MAX } from '../../base/limits.js';
import { VIEW_NAME_CHARACTERS_MAX } from '../../base/view-limits.js';
import { CLICK_DIMENSIONS, CLICK_INTERVALS, CLICK_MEASURES, clickFilterSchemas, clicksAnswerSchema, tagFilter } from './clicks-query.js';
import { closedObject, id, nullable, oneOf, page, pageQuery, plainText, text, timestamp } from './fields.js';
import { clickCounts, statsDate } from './stats.js';

const help = {
  name: 'Name of the view, unique in the environment',
  range: 'Days that move with the calendar; null if `from` and `to` name the days',
  interval: 'What one point of the chart covers; null to choose it by the number of days, not counting those in the future',
  breakdown: 'What clicks are grouped by; null for no groups',
  measure: 'What the chart shows and the breakdown is sorted by: clicks by people, unique visitors, or all clicks',
  compare: 'Whether to show the totals of the same number of days before',
  filters: 'Which clicks are counted, as in `GET /stats/clicks`: an empty text selects clicks without a value',
};

/** The filters of a query, except that stored ones contain no control characters. */
const storedFilters = Object.fromEntries(
  Object.entries({ ...clickFilterSchemas, tag: tagFilter }).map(([name, schema]) => [
    name,
    Type.Optional({ ...(schema as Type.TString), format: 'plain-text' }),
  ]),
) as unknown as typeof clickFilterSchemas & { readonly tag: typeof tagFilter };

const filtersSchema = closedObject(storedFilters, {
  description: help.filters,
  examples: [{ country: 'DE', platform: 'ios' }],
});

export const viewSchema = Type.Object(
  {
    id: id('view_', 'Id of the view'),
    name: text(help.name, { examples: ['Spring in Germany'] }),
    range: nullable(oneOf(DAY_RANGES, help.range)),
    from: nullable(statsDate('First day; null if there is a `range`')),
    to: nullable(statsDate('Last day; null if there is a `range`')),
    interval: nullable(oneOf(CLICK_INTERVALS, help.interval)),
    breakdown: nullable(oneOf(CLICK_DIMENSIONS, help.breakdown)),
    measure: oneOf(CLICK_MEASURES, help.measure),
    compare: Type.Boolean({ description: help.compare }),
    filters: filtersSchema,
    created_at: timestamp('When the view was saved'),
    updated_at: timestamp('When the view was last changed'),
  },
  { description: 'A query of clicks that was saved under a name' },
);
export type View = Type.Static<typeof viewSchema>;

const settableFields = {
  range: Type.Optional(nullable(oneOf(DAY_RANGES, `${help.range}. By default \`${DAY_RANGE_DEFAULT}\`. It replaces \`from\` and \`to\``))),
  from: Type.Optional(
    nullable(statsDate('First day, together with `to`. Both replace `range`. Until it comes, a reader of the public link gets 409')),
  ),
  to: Type.Optional(nullable(statsDate('Last day, together with `from`. If it is in the future, the view shows the days until today'))),
  interval: Type.Optional(nullable(oneOf(CLICK_INTERVALS, help.interval))),
  breakdown: Type.Optional(nullable(oneOf(CLICK_DIMENSIONS, help.breakdown))),
  measure: Type.Optional(oneOf(CLICK_MEASURES, help.measure)),
  compare: Type.Optional(Type.Boolean({ description: help.compare })),
  filters: Type.Optional(nullable({ ...filtersSchema, description: `${help.filters}. A PATCH replaces all of them` })),
};

const nameIn = plainText(help.name, 1, VIEW_NAME_CHARACTERS_MAX);

export const viewCreateSchema = closedObject({ name: nameIn, ...settableFields }, { description: 'A view to save' });
export type ViewCreate = Type.Static<typeof viewCreateSchema>;

export const viewPatchSchema = closedObject(
  { name: Type.Optional(nameIn), ...settableFields },
  { description: 'Fields to change. An absent field keeps its value, null clears it.' },
);
export type ViewPatch = Type.Static<typeof viewPatchSchema>;

export const viewPageSchema = page(viewSchema, 'A page of views, newest first');
export const viewListQuerySchema = closedObject(pageQuery);
export const viewParamsSchema = Type.Object({ view: id('view_', 'Id of the view') });

const shareHelp = {
  expires_at: 'When the link stops working (404)',
};

export const viewShareSchema = Type.Object(
  {
    token: text('Secret part of the link. Anybody who has it can see the view'),
    path: text('Where people open the view, relative to the address of the API: `new URL(path, "https://links.example.com/v1")`', {
      examples: ['dashboard/#/shared/AYxTmfSr6Zr5WXEq0xHBeA'],
    }),
    status: oneOf(['active', 'expired'], '`expired` follows from `expires_at`'),
    has_password: Type.Boolean({ description: 'Whether readers are asked for a password' }),
    expires_at: nullable(timestamp(shareHelp.expires_at)),
    created_at: timestamp('When the view was shared'),
    updated_at: timestamp('When the public link was last changed'),
  },
  { description: 'The public link of a view' },
);
export type ViewShare = Type.Static<typeof viewShareSchema>;

export const viewShareInSchema = closedObject(
  {
    password: Type.Optional(
      nullable(
        plainText(
          'Readers have to enter it before they see anything. It is stored as a hash (scrypt) and never shown; `has_password` says whether there is one.',
          1,
          PASSWORD_CHARACTERS_MAX,
        ),
      ),
    ),
    expires_at: Type.Optional(nullable(timestamp(`${shareHelp.expires_at}: ISO 8601 with any offset. It must be in the future`))),
  },
  { description: 'Who may see the view, and for how long' },
);
export type ViewShareIn = Type.Static<typeof viewShareInSchema>;

const TOKEN_CHARACTERS_MAX = 100;

export const sharedViewAskedSchema = closedObject({
  token: Type.String({ minLength: 1, maxLength: TOKEN_CHARACTERS_MAX, description: '`token` of the link' }),
  password: Type.Optional(Type.String({ maxLength: PASSWORD_CHARACTERS_MAX, description: 'Its password, if it has one' })),
});

const { timezone, as_of, totals, series } = clicksAnswerSchema.properties;

export const sharedViewSchema = Type.Object(
  {
    name: text('Name of the view'),
    from: statsDate('First day, in the project’s time zone'),
    to: statsDate('Last day, in the project’s time zone'),
    timezone,
    as_of,
    interval: oneOf(CLICK_INTERVALS, 'What one entry of `series` covers'),
    measure: oneOf(CLICK_MEASURES, help.measure),
    filters: Type.Array(
      Type.Object({
        filter: oneOf(CLICK_DIMENSIONS, 'The dimension of the filter'),
        value: nullable(
          text('The value of the filter; for a link, its path. Null for clicks without a value, and for a link that no longer exists'),
        ),
      }),
      { description: 'Filters of the clicks; empty if all clicks are counted' },
    ),
    totals,
    previous: nullable(
      Type.Object(
        { from: statsDate('First day'), to: statsDate('Last day'), totals },
        { description: 'The same number of days before; null unless the view compares' },
      ),
    ),
    series,
    breakdown_by: nullable(oneOf(CLICK_DIMENSIONS, help.breakdown)),
    breakdown: Type.Array(
      Type.Object({
        value: nullable(text('The path of a link, or the value of anything else; null if there is none')),
        resource_type: nullable(text('Key of the type of an item; null for anything else')),
        ...clickCounts,
      }),
      { description: 'Sorted by `measure`, largest first, at most 1,000 rows' },
    ),
  },
  { description: 'A view as its public link shows it, with names instead of ids' },
);
export type SharedView = Type.Static<typeof sharedViewSchema>;
