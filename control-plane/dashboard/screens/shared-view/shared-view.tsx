import { text } from '../../language/text.js';
import './shared-view.css';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import type { SharedView } from '../../../../shared/contract/schemas/view.js';
import { type ApiError, call } from '../../api/client.js';
import { FieldNotes } from '../../forms/fields.js';
import { languageOf } from '../../language/quoted.js';
import { Button } from '../../parts/button.js';
import { Loading } from '../../parts/states.js';
import { ownServer } from '../../session/session.js';
import { LanguageChoice } from '../../shell/language-choice.js';
import { SharedFigures } from './shared-figures.js';

/** The screen of a view's public link. It is for readers without a key, and uses none even if this browser has one. */
export function SharedViewPage({ token }: { readonly token: string }) {
  const [password, setPassword] = useState<string>();
  const view = useQuery<SharedView, ApiError>({
    queryKey: ['shared', token, password],
    queryFn: ({ signal }) =>
      call({ server: ownServer() }, 'POST /shared-view', { body: { token, ...(password === undefined ? {} : { password }) } }, { signal }),
    // Nothing of the view stays in memory after the user leaves the page.
    gcTime: 0,
  });
  const { data, error } = view;
  useEffect(() => {
    document.title = data?.name ?? text('Shared view');
  });
  if (data !== undefined) return <SharedFigures view={data} />;
  const code = error?.code;
  // A password that was refused only because of the rate limit may be right, so it is sent again.
  const enter = (entered: string) => (entered === password ? void view.refetch() : setPassword(entered));
  // The password stays on the screen while it is checked.
  const checks = password !== undefined && view.isFetching;
  if (code === 'password_required' || (password !== undefined && (checks || code === 'rate_limited')))
    return <AskPassword busy={checks} error={password === undefined ? null : (error?.message ?? null)} onEnter={enter} />;
  if (error !== null)
    return (
      <Notice title={code === 'not_found' ? text('This link does not work') : text('The view cannot be shown at the moment')}>
        <p lang={code === 'not_found' ? undefined : languageOf(error.message)}>
          {code === 'not_found'
            ? text('It was revoked, has expired, or was not copied completely. Ask the person who sent it to you.')
            : error.message}
        </p>
        {code === 'not_found' ? null : (
          <Button busy={view.isFetching} onClick={() => void view.refetch()}>
            {text('Try again')}
          </Button>
        )}
      </Notice>
    );
  return (
    <main className="shared-view">
      <Loading lines={10} />
    </main>
  );
}

function Notice({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <h1>{title}</h1>
        {children}
      </div>
      <LanguageChoice />
    </main>
  );
}

interface AskPasswordProps {
  readonly busy: boolean;
  readonly error: string | null;
  readonly onEnter: (password: string) => void;
}

function AskPassword({ busy, error, onEnter }: AskPasswordProps) {
  const [entered, setEntered] = useState('');
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onEnter(entered);
  };
  return (
    <Notice title={text('This view has a password')}>
      <form onSubmit={submit}>
        <div className="field">
          <label htmlFor={id}>{text('Password')}</label>
          <input
            id={id}
            type="password"
            required
            // biome-ignore lint/a11y/noAutofocus: there is nothing else to do here
            autoFocus
            autoComplete="off"
            value={entered}
            aria-invalid={error !== null}
            aria-describedby={`${id}-error`}
            onChange={({ target }) => setEntered(target.value)}
          />
          <div role="alert">
            <FieldNotes id={id} error={error ?? undefined} />
          </div>
        </div>
        <Button variant="primary" type="submit" busy={busy}>
          {text('Show the view')}
        </Button>
      </form>
    </Notice>
  );
}
