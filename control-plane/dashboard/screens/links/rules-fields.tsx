import { fromLocalInput } from '../../format/times.js';
import type { DraftForm } from '../../forms/draft-form.js';
import { SelectField, SwitchField, TextArea, TextField } from '../../forms/fields.js';
import { FieldGroup } from '../../forms/form.js';
import type { FieldValues } from '../../session/field-values.js';
import { useSignedIn } from '../../session/signed-in.js';

/** What is never kept with a draft. */
export const UNKEPT_FIELDS: readonly string[] = ['/password'];

/** When, where, how often and for whom the link leads on. */
export function RulesFields({ form }: { readonly form: DraftForm<FieldValues> }) {
  const { timeZone } = useSignedIn();
  return (
    <FieldGroup title="Rules" help={`Each is optional. Times are in the project's time zone, ${timeZone}.`}>
      <TimeFields form={form} />
      <TextField
        form={form}
        field="/max_clicks"
        label="Clicks at most"
        type="number"
        min={1}
        placeholder="any number"
        help="After the last of them the link has expired. Every click counts, those of bots too."
      />
      <PasswordFields form={form} />
      <TextArea
        form={form}
        field="/geo"
        label="By country"
        rows={2}
        placeholder="DE https://example.de/"
        help="One country in a line, by its two letters: where its visitors are led in a browser. Destinations for iOS and Android stay."
      />
      <SelectField
        form={form}
        field="/interstitial"
        label="Page that opens the app"
        choices={[
          { value: '', label: "As the environment's setting says" },
          { value: 'true', label: 'Phones go over it' },
          { value: 'false', label: 'Phones do not go over it' },
        ]}
      />
    </FieldGroup>
  );
}

function PasswordFields({ form }: { readonly form: DraftForm<FieldValues> }) {
  return (
    <>
      <SwitchField
        form={form}
        field="/has_password"
        label="Ask for a password"
        help="Visitors enter it on a small page before they are led on."
      />
      {form.values['/has_password'] === true ? (
        <TextField
          form={form}
          field="/password"
          label="Password"
          type="password"
          autoComplete="new-password"
          help="It is never shown again. Left empty, a password that is set stays."
        />
      ) : null}
    </>
  );
}

function TimeFields({ form }: { readonly form: DraftForm<FieldValues> }) {
  const { timeZone } = useSignedIn();
  const at = (field: string) => fromLocalInput(String(form.values[field]), timeZone);
  const expires = at('/expires_at');
  const begins = at('/active_from');
  const hasPassed = expires !== null && Date.parse(expires) <= Date.now();
  const neverWorks = expires !== null && begins !== null && begins >= expires;
  return (
    <div className="field-row">
      <TextField
        form={form}
        field="/active_from"
        label="Works from"
        type="datetime-local"
        help="Before that visitors are told that there is no such link."
      />
      <TextField
        form={form}
        field="/expires_at"
        label="Expires"
        type="datetime-local"
        warning={
          hasPassed
            ? 'This time has passed: the link will be expired at once.'
            : neverWorks
              ? 'The link expires before it begins to work.'
              : undefined
        }
        help="Afterwards visitors see a page that says that the link has expired."
      />
    </div>
  );
}
