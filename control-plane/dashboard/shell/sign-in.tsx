import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { FieldNotes } from '../forms/fields.js';
import { text } from '../language/text.js';
import { Button } from '../parts/button.js';
import { checkKey } from '../session/check-key.js';
import { environmentWord } from '../session/environment-words.js';
import { draftsWait, type EnvironmentName, ownServer, type Session, setSession } from '../session/session.js';
import { LanguageChoice } from './language-choice.js';

/** The project and environment that a key opens. */
function sessionWith(
  before: Session | null,
  server: string,
  secretKey: string,
  opened: { projectId: string; name: EnvironmentName },
  kept: boolean,
) {
  const keys = before?.projectId === opened.projectId ? before.keys : {};
  setSession({ server, projectId: opened.projectId, keys: { ...keys, [opened.name]: secretKey }, shown: opened.name, kept });
}

export function SignIn() {
  const client = useQueryClient();
  const [server, setServer] = useState(ownServer);
  const [secretKey, setSecretKey] = useState('');
  const [kept, setKept] = useState(false);
  const [wrong, setWrong] = useState<{ readonly field: '/server' | '/secret_key'; readonly detail: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const serverId = useId();
  const keyId = useId();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    document.title = text('Sign in · Link service');
  });
  useEffect(() => {
    if (wrong !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [wrong]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const address = server.trim().replace(/\/+$/, '');
    const check = await checkKey(address, secretKey.trim());
    setBusy(false);
    if (check.outcome === 'refused') return setWrong(check);
    client.clear();
    const { name, project } = check.environment;
    sessionWith(null, address, secretKey.trim(), { projectId: project.id, name }, kept);
  };
  const errorAt = (field: string) => (wrong?.field === field ? wrong.detail : undefined);
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <img src="./icon.svg" alt="" width="40" height="40" />
        <h1>{text('Sign in to your links')}</h1>
        <p className="muted">{text('Enter the address of the service and a secret key of your project. The first start printed both.')}</p>
        {draftsWait() ? (
          <p className="notice notice-info">{text('What you typed is kept. Sign in to the same project to go on with it.')}</p>
        ) : null}
        <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
          <div className="field">
            <label htmlFor={serverId}>{text('Server')}</label>
            <input
              id={serverId}
              type="url"
              value={server}
              onChange={(event) => setServer(event.target.value)}
              aria-invalid={errorAt('/server') !== undefined}
              aria-describedby={`${serverId}-help ${serverId}-error`}
              spellCheck={false}
            />
            <FieldNotes id={serverId} error={errorAt('/server')} />
          </div>
          <div className="field">
            <label htmlFor={keyId}>{text('Secret key')}</label>
            <input
              id={keyId}
              type="password"
              className="mono"
              placeholder={text('sk_live_… or sk_test_…')}
              value={secretKey}
              onChange={(event) => setSecretKey(event.target.value)}
              aria-invalid={errorAt('/secret_key') !== undefined}
              aria-describedby={`${keyId}-help ${keyId}-error`}
              autoComplete="current-password"
              spellCheck={false}
            />
            <FieldNotes id={keyId} error={errorAt('/secret_key')} />
          </div>
          <label className="check">
            <input type="checkbox" checked={kept} onChange={(event) => setKept(event.target.checked)} />
            <span>
              {text('Keep me signed in')}
              <small>{text('Stores the key in this browser. Otherwise the key is forgotten when you close the tab.')}</small>
            </span>
          </label>
          <Button type="submit" variant="primary" busy={busy}>
            {text('Sign in')}
          </Button>
        </form>
      </div>
      <LanguageChoice />
    </main>
  );
}

/** Adds the key of the other environment to the session, so that the reader can switch between them. */
export function AddKey({
  session,
  environment,
  onDone,
}: {
  readonly session: Session;
  readonly environment: EnvironmentName;
  readonly onDone: () => void;
}) {
  const [secretKey, setSecretKey] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const id = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const check = await checkKey(session.server, secretKey.trim());
    setBusy(false);
    if (check.outcome === 'refused') return setError(check.detail);
    const { name, project } = check.environment;
    if (name !== environment)
      return setError(
        text('This key opens the {opened} environment. The {wanted} one has keys that begin with {prefix}.', {
          opened: environmentWord(name),
          wanted: environmentWord(environment),
          prefix: `sk_${environment}_`,
        }),
      );
    if (project.id !== session.projectId)
      return setError(text('This key belongs to another project, {name}. Sign out first to go there.', { name: project.name }));
    onDone();
    sessionWith(session, session.server, secretKey.trim(), { projectId: project.id, name }, session.kept);
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <div className="field">
        <label htmlFor={id}>{text('Secret key of the {environment} environment', { environment: environmentWord(environment) })}</label>
        <input
          id={id}
          type="password"
          className="mono"
          placeholder={`sk_${environment}_…`}
          value={secretKey}
          onChange={(event) => setSecretKey(event.target.value)}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-help ${id}-error`}
          autoComplete="off"
          spellCheck={false}
        />
        <FieldNotes id={id} error={error} help={text('Both keys are kept, so that you can switch between the environments.')} />
      </div>
      <div className="form-buttons">
        <Button type="submit" variant="primary" busy={busy}>
          {text('Open it')}
        </Button>
      </div>
    </form>
  );
}
