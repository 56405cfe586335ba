import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { text } from '../language/text.js';
import { sectionOf } from '../parts/addresses.js';
import { Dialog } from '../parts/dialog.js';
import { environmentWord } from '../session/environment-words.js';
import { type EnvironmentName, setSession } from '../session/session.js';
import { useSignedIn } from '../session/signed-in.js';
import { AddKey } from './add-key.js';

export const ENVIRONMENTS: readonly EnvironmentName[] = ['live', 'test'];

interface SwitchEnvironment {
  /** Shows an environment, or asks for its key if the session has none. */
  readonly show: (environment: EnvironmentName) => void;
  /** The dialog that asks for the key. */
  readonly dialog: ReactNode;
}

export function useSwitchEnvironment(): SwitchEnvironment {
  const { session, environment } = useSignedIn();
  const [location, navigate] = useLocation();
  const [asking, setAsking] = useState<EnvironmentName | null>(null);
  // Objects of one environment do not exist in the other, so the user goes to the list of the current section.
  const toList = () => navigate(sectionOf(location));
  const show = (next: EnvironmentName) => {
    if (next === environment) return;
    if (session.keys[next] === undefined) return setAsking(next);
    toList();
    setSession({ ...session, shown: next });
  };
  const cancel = () => setAsking(null);
  const dialog =
    asking === null ? null : (
      <Dialog title={text('Open the {environment} environment', { environment: environmentWord(asking) })} onClose={cancel}>
        <AddKey session={session} environment={asking} onDone={toList} onCancel={cancel} />
      </Dialog>
    );
  return { show, dialog };
}

export function EnvironmentSwitch({ onShow }: { readonly onShow: (environment: EnvironmentName) => void }) {
  const { environment } = useSignedIn();
  return (
    <fieldset className="segments environment-switch">
      <legend className="visually-hidden">{text('Environment')}</legend>
      {ENVIRONMENTS.map((name) => (
        <button key={name} type="button" aria-pressed={name === environment} onClick={() => onShow(name)} className={`environment-${name}`}>
          {name === 'live' ? text('Live') : text('Test')}
        </button>
      ))}
    </fieldset>
  );
}
