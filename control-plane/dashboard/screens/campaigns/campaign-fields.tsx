import type { DraftForm } from '../../forms/draft-form.js';
import { TextField } from '../../forms/fields.js';
import { FieldGroup } from '../../forms/form.js';
import type { FieldValues } from '../../session/field-values.js';
import { useSignedIn } from '../../session/signed-in.js';
import { UTM_LABELS, UTM_NAMES } from '../links/link-words.js';

export function CampaignFields({ form, isNew }: { readonly form: DraftForm<FieldValues>; readonly isNew: boolean }) {
  const { timeZone } = useSignedIn();
  return (
    <>
      <FieldGroup title="Campaign" help="Links name a campaign by its key.">
        <TextField form={form} field="/name" label="Name" placeholder="Spring sale" required />
        <TextField
          form={form}
          field="/key"
          label="Key"
          placeholder="spring"
          help={isNew ? 'Letters, digits, - and _. It never changes.' : 'The key of a campaign never changes.'}
          disabled={!isNew}
          required
          monospace
        />
      </FieldGroup>
      <FieldGroup title="UTM fields" help="Fields that its links add to web destinations. A field that a link sets itself overrides them.">
        <div className="field-row">
          {UTM_NAMES.map((name) => (
            <TextField key={name} form={form} field={`/${name}`} label={UTM_LABELS[name]} />
          ))}
        </div>
      </FieldGroup>
      <FieldGroup
        title="Time"
        help={`In the project's time zone, ${timeZone}. A campaign ends by itself at this time. Its links keep working.`}
      >
        <div className="field-row">
          <TextField form={form} field="/starts_at" label="Starts" type="datetime-local" />
          <TextField form={form} field="/ends_at" label="Ends" type="datetime-local" />
        </div>
      </FieldGroup>
    </>
  );
}
