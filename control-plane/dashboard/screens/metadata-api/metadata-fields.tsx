import type { MetadataApi } from '../../../../shared/contract/schemas/metadata-api.js';
import { CheckField, SelectField, TextArea, TextField } from '../../forms/fields.js';
import { FieldGroup } from '../../forms/form.js';
import { useForm } from '../../forms/form-context.js';
import { rich } from '../../language/rich.js';
import { text, textOf } from '../../language/text.js';
import { statusWord } from '../../parts/status-words.js';
import { DEFAULT_FIELDS, MAPPED_FIELDS, MAPPED_LABELS, MEANINGS, NUMBER_FIELDS, NUMBERS, SECRET_FIELD } from './metadata-values.js';

interface MetadataFieldsProps {
  /** The stored configuration; null if there is none. */
  readonly api: MetadataApi | null;
}

export function MetadataFields({ api }: MetadataFieldsProps) {
  return (
    <>
      <FieldGroup
        title={text('Request')}
        help={text('The API is called only if a chat or a social network requests a card, never for a visitor.')}
      >
        <TextField
          field="/url_template"
          label={text('URL')}
          placeholder="https://api.example.com/v1/{type}/{id}"
          help={text('An https URL on a public host, with {id} in the path or query.')}
          required
          monospace
        />
        <SelectField
          field="/status"
          label={text('State')}
          choices={[
            { value: 'active', label: text('Active') },
            { value: 'disabled', label: text('Disabled: cards are generic') },
          ]}
        />
        <AuthFields api={api} />
        <TextArea
          monospace
          field="/headers"
          label={text('More headers')}
          rows={2}
          placeholder="X-Channel: links"
          help={text('One header per line. Do not enter secrets here.')}
        />
      </FieldGroup>
      <FieldGroup
        title={text('Mapping')}
        help={rich('Where to find each field in the answer: a dotted path such as {path}, or a JSON Pointer.', {
          path: <code>product.images.0.url</code>,
        })}
      >
        <div className="field-row">
          {MAPPED_FIELDS.map((field) => (
            <TextField key={field} field={`/field_mapping/${field}`} label={textOf(MAPPED_LABELS[field])} monospace />
          ))}
        </div>
        <CheckField
          field="/required_fields"
          label={text('Required')}
          help={text('An answer that lacks one of these fields is not used.')}
          choices={DEFAULT_FIELDS.map((field) => ({ value: field, label: textOf(MAPPED_LABELS[field]) }))}
        />
      </FieldGroup>
      <FieldGroup
        title={text('Status of the item')}
        help={text(
          'The values of the mapped status for each meaning, separated by commas. If all fields are empty, the names of the meanings are the values.',
        )}
      >
        <div className="field-row">
          {MEANINGS.map((meaning) => (
            <TextField key={meaning} field={`/status_values/${meaning}`} label={statusWord(meaning)} placeholder={meaning} />
          ))}
        </div>
      </FieldGroup>
      <FieldGroup title={text('Defaults')} help={text('Shown if the answer has no usable value.')}>
        <div className="field-row">
          {DEFAULT_FIELDS.map((field) => (
            <TextField key={field} field={`/field_defaults/${field}`} label={textOf(MAPPED_LABELS[field])} />
          ))}
        </div>
        <TextArea
          monospace
          field="/allowed_image_hosts"
          label={text('Hosts of images')}
          rows={2}
          placeholder="images.example.com"
          help={text('One host per line. Images on other hosts are left out. If this is empty, any host is allowed.')}
        />
      </FieldGroup>
      <FieldGroup
        title={text('Limits')}
        help={text('Limits for all calls to your API, over all servers together. For an empty field the value shown in grey applies.')}
      >
        <div className="field-row">
          {NUMBER_FIELDS.map((field) => (
            <TextField
              key={field}
              field={`/${field}`}
              label={textOf(NUMBERS[field].label)}
              help={textOf(NUMBERS[field].help)}
              placeholder={NUMBERS[field].fallback}
              type="number"
            />
          ))}
        </div>
      </FieldGroup>
    </>
  );
}

function AuthFields({ api }: MetadataFieldsProps) {
  const { values } = useForm();
  const type = values['/auth/type'];
  const stored = api?.auth.secret_set === true && api.auth.type === type;
  return (
    <>
      <SelectField
        field="/auth/type"
        label={text('Authentication')}
        choices={[
          { value: 'none', label: text('None') },
          { value: 'bearer', label: text('Bearer token') },
          { value: 'api_key_header', label: text('Key in a header') },
        ]}
      />
      {type === 'none' ? null : (
        <div className="field-row">
          {type === 'api_key_header' ? (
            <TextField field="/auth/header_name" label={text('Header')} placeholder="X-Api-Key" monospace />
          ) : null}
          <TextField
            field={SECRET_FIELD}
            label={text('Credential')}
            type="password"
            autoComplete="new-password"
            placeholder={
              !stored ? '' : api.auth.secret_hint === null ? text('stored') : text('stored, ends in {hint}', { hint: api.auth.secret_hint })
            }
            help={
              stored
                ? text(
                    'If this is empty, the stored credential is kept as long as server and header stay the same. It is stored encrypted and never shown.',
                  )
                : text('It is stored encrypted and never shown again.')
            }
          />
        </div>
      )}
    </>
  );
}
