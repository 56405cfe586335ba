import type { UrlTemplate, UrlTemplateCreate } from '../../../../shared/contract/schemas/url-template.js';
import type { FieldValues } from '../../forms/field-values.js';
import { jsonFieldText, parseJsonField } from '../../forms/json-field.js';
import { assemble } from '../../forms/pointers.js';
import { urlOfField } from '../../forms/url-field.js';
import { type Message, message } from '../../language/text.js';
import { PLATFORM_NAMES } from '../links/link-words.js';

/** Converts between a URL template and the fields of its form. */

type Preset = Extract<UrlTemplateCreate['id_format'], { kind: 'preset' }>['preset'];

/** A label and an example id for each preset. */
export const PRESETS: Readonly<Record<Preset, { readonly label: Message; readonly example: string }>> = {
  numeric: { label: message('Digits, 1 to 20'), example: '42' },
  alnum: { label: message('Letters and digits, 1 to 64'), example: 'shoe42' },
  uuid: { label: message('UUID'), example: '018f4e2a-7b1c-7d3e-9f00-3c5a1b2d4e6f' },
  ulid: { label: message('ULID'), example: '01JD4V6XQ8E5S0M3K7N9P2R4TW' },
  base64url: { label: message('base64url, 1 to 128'), example: 'dGVzdA' },
};

/** The option that selects a character set instead of a preset. */
export const CHARSET = 'charset';

export function templateValues(template: UrlTemplate | null, resourceTypeId: string): FieldValues {
  const format = template?.id_format ?? { kind: 'preset', preset: 'numeric' };
  return {
    '/resource_type_id': template?.resource_type_id ?? resourceTypeId,
    '/path_pattern': template?.path_pattern ?? '',
    '/id_format/preset': format.kind === 'preset' ? format.preset : CHARSET,
    '/id_format/charset': format.kind === 'charset' ? format.charset : 'a-z0-9-',
    '/id_format/min_length': String(format.kind === 'charset' ? format.min_length : 1),
    '/id_format/max_length': String(format.kind === 'charset' ? format.max_length : 64),
    '/deep_link_path': template?.deep_link_path ?? '/{type}/{id}',
    '/data': jsonFieldText(template?.data ?? null),
    '/allow_param_passthrough': template?.allow_param_passthrough ?? false,
    ...Object.fromEntries(PLATFORM_NAMES.map((name) => [`/redirects/${name}`, template?.redirects[name] ?? ''])),
  };
}

/** Returns the members of a template that can be changed. Throws at the pointer of a field whose text does not have the API's type. */
export function templateBody(values: FieldValues): Pick<UrlTemplateCreate, 'id_format' | 'deep_link_path'> & Partial<UrlTemplateCreate> {
  const redirects = Object.fromEntries(
    PLATFORM_NAMES.map((name) => [`/redirects/${name}`, urlOfField(String(values[`/redirects/${name}`]))]),
  );
  return assemble({
    ...redirects,
    '/id_format': idFormat(values),
    '/deep_link_path': String(values['/deep_link_path']).trim(),
    '/data': parseJsonField('/data', String(values['/data'])),
    '/allow_param_passthrough': values['/allow_param_passthrough'],
  }) as ReturnType<typeof templateBody>;
}

function idFormat(values: FieldValues): object {
  const preset = values['/id_format/preset'];
  if (preset !== CHARSET) return { kind: 'preset', preset };
  return {
    kind: 'charset',
    charset: values['/id_format/charset'],
    min_length: Number(values['/id_format/min_length']),
    max_length: Number(values['/id_format/max_length']),
  };
}
