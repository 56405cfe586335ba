import Type from 'typebox';
import { ITEM_ID_CHARACTERS_MAX, METADATA_HEADER_NAME_CHARACTERS_MAX, METADATA_SECRET_CHARACTERS_MAX } from '../../base/limits.js';
import {
  AUTH_TYPES,
  CONTENT_FIELDS,
  METADATA_FIELDS,
  type MetadataField,
  NUMBER_BOUNDS,
  NUMBER_FIELDS,
  type NumberField,
  STATUS_MEANINGS,
} from '../../metadata/configuration.js';
import { urlText } from './destination-fields.js';
import { closedObject, id, membersOf, nullable, oneOf, plainText, text, timestamp } from './fields.js';

/** Rules that a schema cannot express, such as where a placeholder is allowed, are in `shared/metadata/configuration-rules.ts`. */

const STATUSES = ['active', 'disabled'] as const;

const FIELD_HELP: Readonly<Record<MetadataField, string>> = {
  title: 'Title of the card, at most 300 characters',
  description: 'Description on the card, at most 1,000 characters',
  image_url: 'Image of the card: https, on one of `allowed_image_hosts` if there are any',
  canonical_url: "The item's own page, https",
  deep_link_path: "The item's in-app route",
  web_fallback_url: 'Web destination that replaces the one of the template, https',
  resource_status: 'State of the item; `status_values` says what it means',
};

const NUMBER_HELP: Readonly<Record<NumberField, string>> = {
  timeout_ms: 'Timeout of a whole call, in milliseconds',
  ttl_seconds: 'How long an answer is used without calling again',
  negative_ttl_seconds: 'How long a 404 or 410 (no such item) is cached; 0: not at all',
  stale_if_error_seconds: 'How long past its TTL an answer may still be shown when the API fails; 0: not at all',
  max_concurrency: 'Maximum number of concurrent calls, over all servers together',
  max_requests_per_minute: 'Maximum number of calls in any minute, over all servers together',
};

const numberIn = (field: NumberField) => {
  const { min, max, fallback } = NUMBER_BOUNDS[field];
  return Type.Optional(Type.Integer({ minimum: min, maximum: max, default: fallback, description: NUMBER_HELP[field] }));
};
const numberOut = (field: NumberField) => {
  const { min, max } = NUMBER_BOUNDS[field];
  return Type.Integer({ minimum: min, maximum: max, description: NUMBER_HELP[field] });
};

const optionalText = (field: MetadataField) => Type.Optional(text(FIELD_HELP[field]));

const contentTexts = membersOf(CONTENT_FIELDS, optionalText);
const mappedTexts = membersOf(METADATA_FIELDS, optionalText);

const MAPPING_HELP =
  'Where to find each field in the answer: a JSON Pointer if it begins with `/`, otherwise a dotted path such as `product.images.0.url`. A field without a path is not read.';
const DEFAULTS_HELP = 'What a card shows if the answer has no usable value';
const REQUIRED_HELP =
  'Fields that an answer must have; otherwise it is not used (`missing_required_field`). If you list a field that is neither mapped nor in `field_defaults`, no answer is ever used';
const STATUS_VALUES_HELP =
  'Which values of `resource_status` have which meaning. A value that is in no list counts as published, with a warning. If the object is absent, the names of the meanings are the values.';
const HEADERS_HELP =
  'Extra request headers that are not secret. Put credentials into `auth`, where they are stored encrypted and never shown.';
const IMAGE_HOSTS_HELP =
  'Hosts from which an image may come. An image on any other host is left out of the card. If the list is empty, any host is allowed.';
const URL_HELP =
  'https URL on a public host name, with `{id}`, and `{type}` for the key of the resource type, in its path or query. It is stored in ASCII; ids are percent-encoded.';
const URL_EXAMPLE = 'https://api.example.com/v1/{type}/{id}';

const statusValues = (meaning: string) => Type.Array(text('A value of `resource_status`'), { description: `Values that mean ${meaning}` });

/** A JSON object whose member names are the customer's own and whose values are texts. */
const texts = (description: string) => Type.Record(Type.String(), Type.String(), { description });

export const metadataApiParamsSchema = Type.Object({ type: id('rt_', 'Id of the resource type') });

export const metadataApiSchema = Type.Object(
  {
    id: id('mapi_', 'Id of the configuration'),
    resource_type_id: id('rt_', 'Id of the resource type'),
    status: oneOf(STATUSES, 'If it is `disabled`, the API is not called and cards are generic'),
    url_template: text(URL_HELP, { examples: [URL_EXAMPLE] }),
    auth: Type.Object(
      {
        type: oneOf(AUTH_TYPES, 'How the service authenticates to the API'),
        header_name: nullable(text('Header that carries the credential; null unless `type` is `api_key_header`')),
        secret_set: Type.Boolean({ description: 'Whether a credential is stored' }),
        secret_hint: nullable(text('Last characters of the stored credential; null if it is too short to show any of it')),
      },
      {
        description:
          'The credential itself is never returned. If an answer of the API contains it, plain or encoded (percent, JSON, HTML, Base64, hexadecimal), it is replaced by asterisks, also on cards.',
      },
    ),
    headers: texts(HEADERS_HELP),
    ...membersOf(NUMBER_FIELDS, numberOut),
    field_mapping: Type.Object(mappedTexts, { description: MAPPING_HELP }),
    field_defaults: Type.Object(contentTexts, { description: DEFAULTS_HELP }),
    required_fields: Type.Array(oneOf(CONTENT_FIELDS, 'A field'), {
      description: REQUIRED_HELP,
    }),
    status_values: Type.Object(membersOf(STATUS_MEANINGS, statusValues), { description: STATUS_VALUES_HELP }),
    allowed_image_hosts: Type.Array(text('A host name, lower case'), { description: IMAGE_HOSTS_HELP }),
    created_at: timestamp('When the configuration was first made'),
    updated_at: timestamp('When it was last replaced'),
  },
  { description: 'The metadata API of a resource type' },
);
export type MetadataApi = Type.Static<typeof metadataApiSchema>;

export const metadataApiPutSchema = closedObject(
  {
    status: Type.Optional(oneOf(STATUSES, 'If it is absent, the status does not change; a new configuration is `active`')),
    url_template: { ...urlText(URL_HELP), examples: [URL_EXAMPLE] },
    auth: Type.Optional(
      closedObject(
        {
          type: oneOf(AUTH_TYPES, 'How the service authenticates to the API. `none` deletes the stored credential'),
          header_name: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: METADATA_HEADER_NAME_CHARACTERS_MAX,
              description: 'Header that carries the credential. Required for `api_key_header`, and refused for every other type',
            }),
          ),
          secret: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: METADATA_SECRET_CHARACTERS_MAX,
              writeOnly: true,
              description:
                'The credential, in visible ASCII. If it is absent, the stored one is kept. It is required if the origin of `url_template`, `type` or `header_name` changes: the stored credential is never sent to another place.',
            }),
          ),
        },
        {
          description:
            'If it is absent, authentication and credential do not change, provided that the origin of `url_template` does not change either. A new configuration has `none`',
        },
      ),
    ),
    headers: Type.Optional(texts(HEADERS_HELP)),
    ...membersOf(NUMBER_FIELDS, numberIn),
    field_mapping: closedObject(mappedTexts, {
      description: MAPPING_HELP,
      examples: [{ title: 'product.name', image_url: '/product/images/0/url' }],
    }),
    field_defaults: Type.Optional(closedObject(contentTexts, { description: DEFAULTS_HELP })),
    required_fields: Type.Optional(
      Type.Array(oneOf(CONTENT_FIELDS, 'A field'), {
        description: REQUIRED_HELP,
      }),
    ),
    status_values: Type.Optional(
      closedObject(
        membersOf(STATUS_MEANINGS, (meaning) => Type.Optional(statusValues(meaning))),
        { description: STATUS_VALUES_HELP },
      ),
    ),
    allowed_image_hosts: Type.Optional(Type.Array(text('A host name, without scheme and port'), { description: IMAGE_HOSTS_HELP })),
  },
  { description: 'A whole configuration. Absent fields get their defaults, except `auth` and `status`.' },
);

/** An item's id as a person enters it: any text that a template could have read from a URL. */
export const itemIdSchema = plainText('Id of an item, as it appears in a URL, decoded', 1, ITEM_ID_CHARACTERS_MAX);

export const metadataApiTestSchema = closedObject({ id: itemIdSchema }, { description: 'The item to request. Use one that exists' });

const METADATA_OUTCOMES = ['ok', 'missing', 'invalid', 'error', 'skipped'] as const;

const fieldNotes = (description: string) =>
  Type.Array(
    Type.Object({
      field: oneOf(METADATA_FIELDS, 'The field'),
      code: text('A short stable code'),
      detail: text('A sentence for people'),
    }),
    { description },
  );

/** What both the test and the preview return about a call. */
export const metadataCallFields = {
  outcome: oneOf(
    METADATA_OUTCOMES,
    '`missing`: the API says that there is no such item (404, 410). `invalid`: its answer cannot be used. `error`: the call failed. `skipped`: the API was not called because the configuration is disabled.',
  ),
  reason: nullable(
    oneOf(
      [
        'missing_required_field',
        'not_json',
        'not_an_object',
        'too_large',
        'http_status',
        'timeout',
        'dns',
        'connect',
        'tls',
        'blocked_address',
        'redirect',
      ],
      'The reason for `invalid` or `error`',
    ),
  ),
  status: nullable(Type.Integer({ description: 'HTTP status of the answer' })),
  latency_ms: nullable(Type.Integer({ minimum: 0, description: 'Milliseconds until the whole answer had arrived' })),
  request_url: nullable(text('The URL that was called. It never contains a credential')),
  warnings: fieldNotes('Values that are used after a correction'),
  issues: fieldNotes('Values that cannot be used'),
};

export const metadataApiTestResultSchema = Type.Object(
  {
    ...metadataCallFields,
    metadata: nullable(
      Type.Object(
        membersOf(METADATA_FIELDS, (field) => nullable(text(FIELD_HELP[field]))),
        { description: 'The mapped fields, defaults filled in; null if there is no usable value and no default' },
      ),
    ),
    response_body: nullable(
      text(
        'First 16 KB of the response body, for comparison by people; null if there was no response. If it contains the credential, plain or encoded, the credential is replaced by asterisks, in `metadata` too.',
      ),
    ),
  },
  { description: 'The result of a call to the metadata API' },
);
export type MetadataApiTestResult = Type.Static<typeof metadataApiTestResultSchema>;
export type MetadataCallResult = Omit<MetadataApiTestResult, 'metadata' | 'response_body'>;
