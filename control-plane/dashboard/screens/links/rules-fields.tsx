import { fromLocalInput } from '../../format/times.js';
import { SelectField, SwitchField, TextArea, TextField } from '../../forms/fields.js';
import { FieldGroup } from '../../forms/form.js';
import { useForm } from '../../forms/form-context.js';
import { text } from '../../language/text.js';
import { useSignedIn } from '../../session/signed-in.js';

/** Fields that are never stored in a draft. */
export const UNKEPT_FIELDS: readonly string[] = ['/password'];

/** When, where, how often and for whom the link works. */
export function RulesFields() {
  const { timeZone } = useSignedIn();
  return (
    <FieldGroup title={text('Rules')} help={text("Each is optional. Times are in the project's time zone, {timeZone}.", { timeZone })}>
      <TimeFields />
      <TextField
        field="/max_clicks"
        label={text('Click limit')}
        type="number"
        min={1}
        placeholder={text('any number')}
        help={text('After this number of clicks the link has expired. Every click counts, including those of bots.')}
      />
      <PasswordFields />
      <TextArea
        monospace
        field="/geo"
        label={text('By country')}
        rows={2}
        placeholder="DE https://example.de/"
        help={text(
          'One country per line: its two-letter code and the destination of its visitors in a browser. Destinations for iOS and Android are not changed.',
        )}
      />
      <SelectField
        field="/interstitial"
        label={text('Page that opens the app')}
        choices={[
          { value: '', label: text('As set for the environment') },
          { value: 'true', label: text('Show on phones') },
          { value: 'false', label: text('Do not show on phones') },
        ]}
      />
    </FieldGroup>
  );
}

function PasswordFields() {
  const { values } = useForm();
  return (
    <>
      <SwitchField
        field="/has_password"
        label={text('Ask for a password')}
        help={text('Visitors have to enter it on a page before they are redirected.')}
      />
      {values['/has_password'] === true ? (
        <TextField
          field="/password"
          label={text('Password')}
          type="password"
          autoComplete="new-password"
          help={text('It is never shown again. If this is empty, an existing password is kept.')}
        />
      ) : null}
    </>
  );
}

function TimeFields() {
  const { values } = useForm();
  const { timeZone } = useSignedIn();
  const at = (field: string) => fromLocalInput(String(values[field]), timeZone);
  const expires = at('/expires_at');
  const begins = at('/active_from');
  const hasPassed = expires !== null && Date.parse(expires) <= Date.now();
  const neverWorks = expires !== null && begins !== null && begins >= expires;
  return (
    <div className="field-row">
      <TextField
        field="/active_from"
        label={text('Works from')}
        type="datetime-local"
        help={text('Before that, visitors see a page that says that the link does not exist.')}
      />
      <TextField
        field="/expires_at"
        label={text('Expires')}
        type="datetime-local"
        warning={
          hasPassed
            ? text('This time has passed: the link expires at once.')
            : neverWorks
              ? text('The link expires before it begins to work.')
              : undefined
        }
        help={text('After that, visitors see a page that says that the link has expired.')}
      />
    </div>
  );
}
