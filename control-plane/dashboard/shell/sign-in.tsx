import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { PlainField } from '../forms/fields.js';
import { text } from '../language/text.js';
import { Button } from '../parts/button.js';
import { checkKey } from '../session/check-key.js';
import { draftsWait, ownServer, setSession } from '../session/session.js';
import { isTabKept } from '../state/storage.js';
import { LanguageChoice } from './language-choice.js';

export function SignIn() {
  const client = useQueryClient();
  const [server, setServer] = useState(ownServer);
  const [secretKey, setSecretKey] = useState('');
  const [kept, setKept] = useState(false);
  const [wrong, setWrong] = useState<{ readonly field: '/server' | '/secret_key'; readonly detail: string } | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    document.title = text('Sign in · Link service');
  });
  const heading = useRef<HTMLHeadingElement>(null);
  // A user who has just been signed out hears the name of this page.
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setWrong(null);
    const address = server.trim().replace(/\/+$/, '');
    const check = await checkKey(address, secretKey.trim());
    setBusy(false);
    if (check.outcome === 'refused') return setWrong(check);
    client.clear();
    const { name, project } = check.environment;
    setSession({ server: address, projectId: project.id, keys: { [name]: secretKey.trim() }, shown: name, kept });
  };
  const errorAt = (field: string) => (wrong?.field === field ? wrong.detail : undefined);
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <img src="./icon.svg" alt="" width="40" height="40" />
        <h1 ref={heading} tabIndex={-1}>
          {text('Sign in to your links')}
        </h1>
        <p className="muted">{text('Enter the address of the service and a secret key of your project. The first start printed both.')}</p>
        {draftsWait() ? (
          <p className="notice notice-info">{text('Your entries are kept. Sign in to the same project to continue.')}</p>
        ) : null}
        <form onSubmit={(event) => void submit(event)} noValidate>
          <PlainField
            label={text('Server')}
            error={errorAt('/server')}
            type="url"
            value={server}
            onChange={({ target }) => setServer(target.value)}
            spellCheck={false}
          />
          <PlainField
            label={text('Secret key')}
            error={errorAt('/secret_key')}
            type="password"
            className="mono"
            placeholder={text('sk_live_… or sk_test_…')}
            value={secretKey}
            onChange={({ target }) => setSecretKey(target.value)}
            autoComplete="current-password"
            spellCheck={false}
          />
          {isTabKept ? (
            <label className="check">
              <input type="checkbox" checked={kept} onChange={(event) => setKept(event.target.checked)} />
              <span>
                {text('Keep me signed in')}
                <small>{text('Stores the key in this browser. Otherwise the key is forgotten when you close the tab.')}</small>
              </span>
            </label>
          ) : (
            <p className="notice notice-info">
              {text(
                'Your browser lets this page store nothing. The page works, but forgets the key and unsent entries when you reload it.',
              )}
            </p>
          )}
          <Button type="submit" variant="primary" busy={busy}>
            {text('Sign in')}
          </Button>
        </form>
      </div>
      <LanguageChoice />
    </main>
  );
}
