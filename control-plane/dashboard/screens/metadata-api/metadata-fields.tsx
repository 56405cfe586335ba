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
          field="/headers"
          label={text('More headers')}
          rows={2}
          placeholder="X-Channel: links"
          help={text('One header on each line. Do not enter secrets here.')}
        />
      </FieldGroup>
      <FieldGroup
        title={text('Mapping')}
        help={rich('The place of each field in the answer: a path with dots such as {path}, or a JSON Pointer.', {
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
        title={text('Status')}
        help={text(
          'The values of the mapped status and their meaning, separated by commas. If all fields are empty, each word has its own meaning.',
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
          field="/allowed_image_hosts"
          label={text('Hosts of images')}
          rows={2}
          placeholder="images.example.com"
          help={text('One host on each line. Images on other hosts are left out. If this is empty, any host is allowed.')}
        />
      </FieldGroup>
      <FieldGroup
        title={text('Limits')}
        help={text('Limits on all calls of your API, whatever the number of servers. An empty field takes the value shown in grey.')}
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
                ? text('Left empty, the stored one is kept while server and header stay the same. It is sealed and never shown.')
                : text('Sealed, and never shown again.')
            }
          />
        </div>
      )}
    </>
  );
}
