import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Dialog } from '../parts/dialog.js';
import { Icon } from '../parts/icon.js';
import { type EnvironmentName, setSession } from '../session/session.js';
import { useSignedIn } from '../session/signed-in.js';
import { isCurrent, NAVIGATION } from './navigation.js';
import { OfflineBand } from './offline.js';
import { AddKey } from './sign-in.js';
import { theme, toggleTheme } from './theme.js';

/** Side bar, environment switch and the screen. On a narrow window the side bar is a sheet behind a button. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { environment } = useSignedIn();
  const [open, setOpen] = useState(false);
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new screen closes the sheet
  useEffect(() => setOpen(false), [location]);
  const menu = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const close = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      setOpen(false);
      menu.current?.focus();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [open]);
  return (
    <div className={`shell shell-${environment}`}>
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <div className="top-bar">
        <button
          ref={menu}
          type="button"
          className="icon-button"
          onClick={() => setOpen(!open)}
          aria-expanded={open}
          aria-controls="side-bar"
          aria-label="Menu"
        >
          <Icon name={open ? 'close' : 'menu'} />
        </button>
        <span className="top-bar-name">{useSignedIn().settings.project.name}</span>
        {environment === 'test' ? <span className="test-mark">Test</span> : null}
      </div>
      <aside id="side-bar" className={open ? 'side-bar side-bar-open' : 'side-bar'}>
        <SideBar />
      </aside>
      <main id="main" tabIndex={-1}>
        <OfflineBand />
        {environment === 'test' ? (
          <div className="test-band">
            <strong>Test environment</strong>
            <span>Nothing here reaches your live links.</span>
          </div>
        ) : null}
        {children}
      </main>
    </div>
  );
}

function SideBar() {
  const { settings } = useSignedIn();
  const [location] = useLocation();
  return (
    <>
      <div className="project">
        <img src="./icon.svg" alt="" width="28" height="28" />
        <div>
          <strong>{settings.project.name}</strong>
          <small>{new URL(settings.link_origin).host}</small>
        </div>
      </div>
      <EnvironmentSwitch />
      <nav aria-label="Screens">
        {NAVIGATION.map(({ title, items }) => (
          <div key={title} className="nav-group">
            <h2>{title}</h2>
            <ul>
              {items.map((item) => (
                <li key={item.to}>
                  <Link href={item.to} className="nav-link" aria-current={isCurrent(item, location) ? 'page' : undefined}>
                    <Icon name={item.icon} />
                    {item.label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <SideBarFoot />
    </>
  );
}

const ENVIRONMENTS: readonly EnvironmentName[] = ['live', 'test'];

function EnvironmentSwitch() {
  const { session, environment } = useSignedIn();
  const [location, navigate] = useLocation();
  const [asking, setAsking] = useState<EnvironmentName | null>(null);
  const show = (next: EnvironmentName) => {
    if (next === environment) return;
    if (session.keys[next] === undefined) return setAsking(next);
    // Objects of one environment do not exist in the other: stay on the list they are in.
    navigate(`/${location.split('/')[1] ?? ''}`);
    setSession({ ...session, shown: next });
  };
  return (
    <>
      <fieldset className="environment-switch">
        <legend className="visually-hidden">Environment</legend>
        {ENVIRONMENTS.map((name) => (
          <button key={name} type="button" aria-pressed={name === environment} onClick={() => show(name)} className={`environment-${name}`}>
            {name === 'live' ? 'Live' : 'Test'}
          </button>
        ))}
      </fieldset>
      {asking === null ? null : (
        <Dialog title={`Open the ${asking} environment`} onClose={() => setAsking(null)}>
          <AddKey session={session} environment={asking} onDone={() => navigate(`/${location.split('/')[1] ?? ''}`)} />
        </Dialog>
      )}
    </>
  );
}

function SideBarFoot() {
  const [current, setCurrent] = useState(theme);
  return (
    <div className="side-bar-foot">
      <a href="../docs" className="nav-link" target="_blank" rel="noreferrer">
        <Icon name="out" />
        API reference
      </a>
      <div className="side-bar-buttons">
        <button
          type="button"
          className="icon-button"
          onClick={() => setCurrent(toggleTheme())}
          aria-label={current === 'dark' ? 'Light colours' : 'Dark colours'}
          title={current === 'dark' ? 'Light colours' : 'Dark colours'}
        >
          <Icon name={current === 'dark' ? 'sun' : 'moon'} />
        </button>
        <button type="button" className="icon-button" onClick={() => setSession(null)} aria-label="Sign out" title="Sign out">
          <Icon name="signOut" />
        </button>
      </div>
    </div>
  );
}
