import Type from 'typebox';
import {
  CHARSET_CHARACTERS_MAX,
  DEEP_LINK_PATH_CHARACTERS_MAX,
  ITEM_ID_CHARACTERS_MAX,
  PATTERN_CHARACTERS_MAX,
  RENDERED_URL_CHARACTERS_MAX,
} from '../../base/limits.js';
import { ID_PRESETS, type IdFormat } from '../../records/id-format.js';
import { SUSPICION_REASONS, type SuspicionReason } from '../../resolve/destination-check.js';
import { PLATFORMS } from '../../resolve/recognise-visitor.js';
import { slotsIn, slotsOut } from './destination-fields.js';
import { closedObject, id, nullable, oneOf, page, pageQuery, plainText, text, timestamp } from './fields.js';
import { traceSchema } from './trace.js';

const URL_TEMPLATE_STATUSES = ['active', 'disabled', 'archived'] as const;

const FILLED_IN = '`{id}` and `{type}` are filled in';

const redirectsOut = (description: string) => Type.Object(slotsOut, { description });

const redirectsIn = nullable(
  closedObject(slotsIn, {
    description: `Where items lead; ${FILLED_IN}. They are allowed in path, query and fragment, and in URLs with the scheme of an app anywhere after the scheme. The host of an http or https URL must not contain them. In a PATCH an absent platform keeps its value, null resets it to the environment's default, and null instead of the object resets all five.`,
    examples: [{ web: 'https://shop.example.com/{type}/{id}' }],
  }),
);

const length = (description: string) => Type.Integer({ minimum: 1, maximum: ITEM_ID_CHARACTERS_MAX, description });
const preset = oneOf(
  ID_PRESETS,
  'numeric: 1 to 20 digits; alnum: 1 to 64 letters and digits; uuid: canonical form, either case; ulid: 26 Crockford characters, either case; base64url: 1 to 128 characters',
);
const charset = Type.String({
  minLength: 1,
  maxLength: CHARSET_CHARACTERS_MAX,
  description: 'Characters and ranges such as `a-z0-9-`. Put a literal `-` last. Not a regular expression',
});

/** One object rather than a choice of two, so that each wrong member is one error. A rule checks which members belong together. */
const idFormatIn = Type.Unsafe<IdFormat>({
  type: 'object',
  properties: {
    kind: oneOf(['preset', 'charset'], 'With `preset`, `preset` alone; with `charset`, `charset`, `min_length` and `max_length`'),
    preset,
    charset,
    min_length: length('Characters an id has at least'),
    max_length: length('Characters an id has at most'),
  },
  required: ['kind'],
  additionalProperties: false,
  description: 'How the id in a URL is validated after decoding',
  examples: [
    { kind: 'preset', preset: 'numeric' },
    { kind: 'charset', charset: 'a-z0-9-', min_length: 1, max_length: 64 },
  ],
});

const idFormatOut = Type.Unsafe<IdFormat>(
  Type.Union(
    [
      Type.Object({ kind: oneOf(['preset'], 'A predefined format'), preset }),
      Type.Object({
        kind: oneOf(['charset'], 'A format that lists the allowed characters'),
        charset,
        min_length: length('Characters an id has at least'),
        max_length: length('Characters an id has at most'),
      }),
    ],
    { description: 'How the id in a URL is validated after decoding' },
  ),
);

const dataOut = nullable(
  Type.Object({}, { additionalProperties: true, description: `Custom JSON delivered to the app; ${FILLED_IN}` }),
) as Type.TUnsafe<Record<string, unknown> | null>;

const dataIn = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  description: `Custom JSON delivered to the app: at most 4,096 bytes as JSON in UTF-8, keys at any depth up to 64 characters; ${FILLED_IN} in its texts`,
  examples: [{ product: '{id}' }],
});

const templateFields = {
  id: id('tpl_', 'Id of the template'),
  resource_type_id: id('rt_', 'Id of the resource type; it cannot change'),
  resource_type: text('Key of the resource type', { examples: ['product'] }),
  path_pattern: text('URL pattern; it cannot change', { examples: ['/p/{id}'] }),
  url_example: text("The pattern on the environment's shared host", { examples: ['https://go.example.com/p/{id}'] }),
  id_format: idFormatOut,
  deep_link_path: text(`In-app route that the app gets; ${FILLED_IN}`, { examples: ['/product/{id}'] }),
  data: dataOut,
  redirects: redirectsOut("The template's own destinations. For a null, the environment's default is used"),
  allow_param_passthrough: Type.Boolean({
    description: 'Whether query parameters of the short URL are stored with the click and passed to the destination and the app',
  }),
  status: oneOf(URL_TEMPLATE_STATUSES, 'The pattern of a disabled template stays taken; that of an archived one is free'),
  created_at: timestamp('When the template was made'),
  updated_at: timestamp('When the template was last changed'),
};

export const urlTemplateSchema = Type.Object(templateFields, {
  description: 'A URL template: one pattern for all items of a resource type',
});
export type UrlTemplate = Type.Static<typeof urlTemplateSchema>;

export const destinationWarningSchema = Type.Object(
  {
    code: oneOf(['destination_suspicious'], 'Code of the warning'),
    pointer: text('JSON Pointer to the field', { examples: ['/redirects/web'] }),
    detail: text('What is suspicious, for people'),
    reasons: Type.Array(oneOf(Object.keys(SUSPICION_REASONS) as SuspicionReason[], 'A stable code'), {
      description: 'The reasons, as stable codes',
    }),
  },
  { description: 'A destination that looks suspicious; it is stored anyway' },
);

export const urlTemplateWithWarningsSchema = Type.Object(
  { ...templateFields, warnings: Type.Array(destinationWarningSchema, { description: 'Destinations that look suspicious' }) },
  { description: 'A URL template as creation and change return it' },
);
export type UrlTemplateWithWarnings = Type.Static<typeof urlTemplateWithWarningsSchema>;

const deepLinkPathIn = Type.String({
  format: 'plain-text',
  pattern: '^/',
  minLength: 1,
  maxLength: DEEP_LINK_PATH_CHARACTERS_MAX,
  description: `In-app route; starts with \`/\`; ${FILLED_IN}`,
  examples: ['/product/{id}'],
});
const passthroughIn = Type.Boolean({
  description:
    'Whether query parameters of the short URL are stored with the click and passed to the destination and the app; by default false',
});

export const urlTemplateCreateSchema = closedObject(
  {
    resource_type_id: id('rt_', 'Id of an active resource type of the environment'),
    path_pattern: Type.String({
      minLength: 1,
      maxLength: PATTERN_CHARACTERS_MAX,
      description:
        'URL pattern: 2 to 8 segments of letters, digits, `-`, `.`, `_` and `~`, and exactly one `{id}`, which may have a literal prefix or suffix inside its segment',
      examples: ['/p/{id}', '/docs/v-{id}.html'],
    }),
    id_format: idFormatIn,
    deep_link_path: deepLinkPathIn,
    data: Type.Optional(dataIn),
    redirects: Type.Optional(redirectsIn),
    allow_param_passthrough: Type.Optional(passthroughIn),
  },
  { description: 'A URL template to make' },
);
export type UrlTemplateCreate = Type.Static<typeof urlTemplateCreateSchema>;

export const urlTemplatePatchSchema = closedObject(
  {
    id_format: Type.Optional(idFormatIn),
    deep_link_path: Type.Optional(deepLinkPathIn),
    data: Type.Optional(dataIn),
    redirects: Type.Optional(redirectsIn),
    allow_param_passthrough: Type.Optional(
      Type.Boolean({
        description: 'Whether query parameters of the short URL are stored with the click and passed to the destination and the app',
      }),
    ),
    status: Type.Optional(oneOf(URL_TEMPLATE_STATUSES, '`archived` is final and frees the pattern')),
  },
  {
    description:
      'Fields to change. An absent field keeps its value; null clears `data` and `redirects`. Pattern and resource type cannot change.',
  },
);
export type UrlTemplatePatch = Type.Static<typeof urlTemplatePatchSchema>;

export const urlTemplatePageSchema = page(urlTemplateSchema, 'A page of URL templates, newest first');

export const urlTemplateListQuerySchema = closedObject({
  ...pageQuery,
  resource_type_id: Type.Optional(plainText('Only templates of the type with this id', 1, 100)),
  status: Type.Optional(oneOf(URL_TEMPLATE_STATUSES, 'Only templates in this state; by default those that are not archived')),
});

export const urlTemplateParamsSchema = Type.Object({ template: id('tpl_', 'Id of the template') });

export const urlTestSchema = closedObject(
  {
    path: Type.String({
      minLength: 1,
      maxLength: RENDERED_URL_CHARACTERS_MAX,
      description: 'A URL or a path, as a person would type it',
      examples: ['https://go.example.com/p/42', '/p/42?ref=mail'],
    }),
    platform: Type.Optional(oneOf(PLATFORMS, 'Platform of the person that `trace` is for; by default `desktop`')),
  },
  { description: 'A URL or path to try' },
);

export const URL_TEST_RESULTS = ['match', 'invalid_id', 'no_template'] as const;

const renderedSchema = nullable(
  Type.Object(
    {
      deep_link_path: text('In-app route of the item'),
      data: dataOut,
      redirects: redirectsOut("The template's own destinations for the item"),
      allow_param_passthrough: Type.Boolean({ description: 'Whether query parameters reach the destination and the app' }),
    },
    { description: 'What the template yields for the item; null unless it is a match' },
  ),
);

export const urlTestResultSchema = Type.Object(
  {
    result: oneOf(URL_TEST_RESULTS, 'Whether the path leads to an item'),
    template_id: nullable(text('Id of the template; null with `no_template`')),
    resource_type: nullable(text('Key of the resource type; null with `no_template`')),
    id: nullable(text('The id decoded from the URL; null if there is none or it cannot be decoded')),
    rendered: renderedSchema,
    detail: text('Why the path did or did not resolve'),
    trace: traceSchema,
  },
  { description: 'What visitors of a URL or path get' },
);
export type UrlTestResult = Type.Static<typeof urlTestResultSchema>;
