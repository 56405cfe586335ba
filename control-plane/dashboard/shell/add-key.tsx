import { type FormEvent, useState } from 'react';
import { PlainField } from '../forms/fields.js';
import { text } from '../language/text.js';
import { Button } from '../parts/button.js';
import { useLeaving } from '../parts/leave.js';
import { checkKey } from '../session/check-key.js';
import { environmentWord } from '../session/environment-words.js';
import { type EnvironmentName, type Session, setSession } from '../session/session.js';

interface AddKeyProps {
  readonly session: Session;
  readonly environment: EnvironmentName;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Adds the key of the other environment to the session, so that the user can switch between them. */
export function AddKey({ session, environment, onDone, onCancel }: AddKeyProps) {
  const [secretKey, setSecretKey] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const leaving = useLeaving();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { signal } = leaving.current;
    setBusy(true);
    setError(undefined);
    const check = await checkKey(session.server, secretKey.trim());
    // The user has closed the dialog, and may have signed out in the meantime.
    if (signal.aborted) return;
    setBusy(false);
    if (check.outcome === 'refused') return setError(check.detail);
    const { name, project } = check.environment;
    if (name !== environment)
      return setError(
        text('This key is for the {opened} environment. Keys of the {wanted} environment begin with {prefix}.', {
          opened: environmentWord(name),
          wanted: environmentWord(environment),
          prefix: `sk_${environment}_`,
        }),
      );
    if (project.id !== session.projectId)
      return setError(text('This key belongs to another project, {name}. To open that project, sign out first.', { name: project.name }));
    onDone();
    setSession({ ...session, keys: { ...session.keys, [name]: secretKey.trim() }, shown: name });
  };
  return (
    <form className="stack" onSubmit={(event) => void submit(event)} noValidate>
      <PlainField
        label={text('Secret key of the {environment} environment', { environment: environmentWord(environment) })}
        help={text('Both keys are kept, so that you can switch between the environments.')}
        error={error}
        type="password"
        className="mono"
        placeholder={`sk_${environment}_…`}
        value={secretKey}
        onChange={({ target }) => setSecretKey(target.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <div className="form-buttons">
        <Button type="submit" variant="primary" busy={busy}>
          {text('Open it')}
        </Button>
        <Button onClick={onCancel}>{text('Cancel')}</Button>
      </div>
    </form>
  );
}
