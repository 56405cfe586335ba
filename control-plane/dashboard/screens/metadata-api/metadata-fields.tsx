import type { MetadataApi } from '../../../../shared/contract/schemas/metadata-api.js';
import type { DraftForm } from '../../forms/draft-form.js';
import { CheckField, SelectField, TextArea, TextField } from '../../forms/fields.js';
import { FieldGroup } from '../../forms/form.js';
import type { FieldValues } from '../../session/field-values.js';
import { DEFAULT_FIELDS, MAPPED_FIELDS, MAPPED_LABELS, MEANINGS, NUMBER_FIELDS, NUMBERS, SECRET_FIELD } from './metadata-values.js';

interface MetadataFieldsProps {
  readonly form: DraftForm<FieldValues>;
  /** The stored configuration; null if there is none. */
  readonly api: MetadataApi | null;
}

export function MetadataFields({ form, api }: MetadataFieldsProps) {
  return (
    <>
      <FieldGroup title="Request" help="The API is called only if a chat or a social network requests a card, never for a visitor.">
        <TextField
          form={form}
          field="/url_template"
          label="URL"
          placeholder="https://api.example.com/v1/{type}/{id}"
          help="An https URL on a public host, with {id} in the path or query."
          required
          monospace
        />
        <SelectField
          form={form}
          field="/status"
          label="State"
          choices={[
            { value: 'active', label: 'Active' },
            { value: 'disabled', label: 'Disabled: cards are generic' },
          ]}
        />
        <AuthFields form={form} api={api} />
        <TextArea
          form={form}
          field="/headers"
          label="More headers"
          rows={2}
          placeholder="X-Channel: links"
          help="One header on each line. Do not enter secrets here."
        />
      </FieldGroup>
      <FieldGroup
        title="Mapping"
        help={
          <>
            The place of each field in the answer: a path with dots such as <code>product.images.0.url</code>, or a JSON Pointer.
          </>
        }
      >
        <div className="field-row">
          {MAPPED_FIELDS.map((field) => (
            <TextField key={field} form={form} field={`/field_mapping/${field}`} label={MAPPED_LABELS[field]} monospace />
          ))}
        </div>
        <CheckField
          form={form}
          field="/required_fields"
          label="Required"
          help="An answer that lacks one of these fields is not used."
          choices={DEFAULT_FIELDS.map((field) => ({ value: field, label: MAPPED_LABELS[field] }))}
        />
      </FieldGroup>
      <FieldGroup
        title="Status"
        help="The values of the mapped status and their meaning, separated by commas. If all fields are empty, each word has its own meaning."
      >
        <div className="field-row">
          {MEANINGS.map((meaning) => (
            <TextField key={meaning} form={form} field={`/status_values/${meaning}`} label={meaning} placeholder={meaning} />
          ))}
        </div>
      </FieldGroup>
      <FieldGroup title="Defaults" help="Shown if the answer has no usable value.">
        <div className="field-row">
          {DEFAULT_FIELDS.map((field) => (
            <TextField key={field} form={form} field={`/field_defaults/${field}`} label={MAPPED_LABELS[field]} />
          ))}
        </div>
        <TextArea
          form={form}
          field="/allowed_image_hosts"
          label="Hosts of images"
          rows={2}
          placeholder="images.example.com"
          help="One host on each line. Images on other hosts are left out. If this is empty, any host is allowed."
        />
      </FieldGroup>
      <FieldGroup
        title="Limits"
        help="Limits on all calls of your API, whatever the number of servers. An empty field takes the value shown in grey."
      >
        <div className="field-row">
          {NUMBER_FIELDS.map((field) => (
            <TextField
              key={field}
              form={form}
              field={`/${field}`}
              label={NUMBERS[field].label}
              help={NUMBERS[field].help}
              placeholder={NUMBERS[field].fallback}
              type="number"
            />
          ))}
        </div>
      </FieldGroup>
    </>
  );
}

function AuthFields({ form, api }: MetadataFieldsProps) {
  const type = form.values['/auth/type'];
  const stored = api?.auth.secret_set === true && api.auth.type === type;
  return (
    <>
      <SelectField
        form={form}
        field="/auth/type"
        label="Authentication"
        choices={[
          { value: 'none', label: 'None' },
          { value: 'bearer', label: 'Bearer token' },
          { value: 'api_key_header', label: 'Key in a header' },
        ]}
      />
      {type === 'none' ? null : (
        <div className="field-row">
          {type === 'api_key_header' ? (
            <TextField form={form} field="/auth/header_name" label="Header" placeholder="X-Api-Key" monospace />
          ) : null}
          <TextField
            form={form}
            field={SECRET_FIELD}
            label="Credential"
            type="password"
            autoComplete="new-password"
            placeholder={stored ? `stored${api.auth.secret_hint === null ? '' : `, ends in ${api.auth.secret_hint}`}` : ''}
            help={
              stored
                ? 'Left empty, the stored one is kept while server and header stay the same. It is sealed and never shown.'
                : 'Sealed, and never shown again.'
            }
          />
        </div>
      )}
    </>
  );
}
