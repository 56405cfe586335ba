import type { MetadataApi } from '../../../../shared/contract/schemas/metadata-api.js';
import type { Input } from '../../api/contract.js';
import { partsOf } from '../../format/text-parts.js';
import type { FieldValues } from '../../forms/field-values.js';
import { assemble } from '../../forms/pointers.js';
import { type Message, message } from '../../language/text.js';

/** Converts between the configuration of a metadata API and the fields of its form. */

type MappedField = keyof Required<MetadataApi['field_mapping']>;
type DefaultField = keyof Required<MetadataApi['field_defaults']>;

export const MAPPED_LABELS: Readonly<Record<MappedField, Message>> = {
  title: message('Title'),
  description: message('Description'),
  image_url: message('Image URL'),
  canonical_url: message('Canonical URL'),
  deep_link_path: message('Deep link path'),
  web_fallback_url: message('Web fallback URL'),
  resource_status: message('Status of the item'),
};
export const MAPPED_FIELDS = Object.keys(MAPPED_LABELS) as readonly MappedField[];
export const DEFAULT_FIELDS = MAPPED_FIELDS.filter((field): field is DefaultField => field !== 'resource_status');

type NumberField =
  | 'timeout_ms'
  | 'ttl_seconds'
  | 'negative_ttl_seconds'
  | 'stale_if_error_seconds'
  | 'max_concurrency'
  | 'max_requests_per_minute';

/** Each limit with the default for an empty field, as in the API's document. */
export const NUMBERS: Readonly<Record<NumberField, { readonly label: Message; readonly help: Message; readonly fallback: string }>> = {
  timeout_ms: { label: message('Timeout (ms)'), help: message('How long a call may take in total.'), fallback: '1500' },
  ttl_seconds: {
    label: message('Fresh for (s)'),
    help: message('How long an answer is used before the API is called again.'),
    fallback: '3600',
  },
  negative_ttl_seconds: {
    label: message('Missing for (s)'),
    help: message('How long the answer that an item does not exist is used.'),
    fallback: '300',
  },
  stale_if_error_seconds: {
    label: message('Stale for (s)'),
    help: message('How long an old answer is used while the API fails.'),
    fallback: '86400',
  },
  max_concurrency: { label: message('Concurrent calls'), help: message('In total, over all servers.'), fallback: '10' },
  max_requests_per_minute: { label: message('Calls per minute'), help: message('In total, over all servers.'), fallback: '600' },
};
export const NUMBER_FIELDS = Object.keys(NUMBERS) as readonly NumberField[];

export const MEANINGS = ['published', 'unpublished', 'deleted'] as const;

/** The credential is entered each time, and never stored. */
export const SECRET_FIELD = '/auth/secret';

export function metadataValues(api: MetadataApi | null): FieldValues {
  return {
    '/status': api?.status ?? 'active',
    '/url_template': api?.url_template ?? '',
    '/auth/type': api?.auth.type ?? 'none',
    '/auth/header_name': api?.auth.header_name ?? '',
    [SECRET_FIELD]: '',
    '/headers': Object.entries(api?.headers ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    '/required_fields': api?.required_fields ?? [],
    '/allowed_image_hosts': (api?.allowed_image_hosts ?? []).join('\n'),
    ...Object.fromEntries(NUMBER_FIELDS.map((field) => [`/${field}`, api === null ? '' : String(api[field])])),
    ...Object.fromEntries(MAPPED_FIELDS.map((field) => [`/field_mapping/${field}`, api?.field_mapping[field] ?? ''])),
    ...Object.fromEntries(DEFAULT_FIELDS.map((field) => [`/field_defaults/${field}`, api?.field_defaults[field] ?? ''])),
    ...Object.fromEntries(MEANINGS.map((meaning) => [`/status_values/${meaning}`, (api?.status_values[meaning] ?? []).join(', ')])),
  };
}

type Put = Input<'PUT /resource-types/{type}/metadata-api'>['body'];

/** Returns the whole configuration. An empty field takes the API's default, except for the credential, which is kept. */
export function metadataBody(values: FieldValues): Put {
  const typed = (field: string) => String(values[field] ?? '').trim();
  const filled = (field: string) => typed(field) || undefined;
  const type = typed('/auth/type');
  const named = (prefix: string, fields: readonly string[]) =>
    Object.fromEntries(fields.map((field) => [`${prefix}/${field}`, filled(`${prefix}/${field}`)]));
  return assemble({
    '/status': typed('/status'),
    '/url_template': typed('/url_template'),
    '/auth/type': type,
    '/auth/header_name': type === 'api_key_header' ? filled('/auth/header_name') : undefined,
    [SECRET_FIELD]: type === 'none' ? undefined : filled(SECRET_FIELD),
    '/headers': headersOf(typed('/headers')),
    '/field_mapping': {},
    ...named('/field_mapping', MAPPED_FIELDS),
    ...named('/field_defaults', DEFAULT_FIELDS),
    '/required_fields': values['/required_fields'],
    '/allowed_image_hosts': partsOf(typed('/allowed_image_hosts'), '\n'),
    ...Object.fromEntries(NUMBER_FIELDS.map((field) => [`/${field}`, typed(`/${field}`) === '' ? undefined : Number(typed(`/${field}`))])),
    ...statusValuesOf(values),
  }) as Put;
}

/** Returns an empty object if all three lists are empty. Each word then has its own meaning. */
function statusValuesOf(values: FieldValues): Record<string, readonly string[]> {
  const lists = MEANINGS.map(
    (meaning) => [`/status_values/${meaning}`, partsOf(String(values[`/status_values/${meaning}`]), ',')] as const,
  );
  return lists.some(([, list]) => list.length > 0) ? Object.fromEntries(lists) : {};
}

function headersOf(text: string): Record<string, string> {
  return Object.fromEntries(
    partsOf(text, '\n').map((line) => {
      const colon = line.includes(':') ? line.indexOf(':') : line.length;
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}
