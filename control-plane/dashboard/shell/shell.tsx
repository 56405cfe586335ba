import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { text, textOf } from '../language/text.js';
import { IconButton } from '../parts/button.js';
import { Icon } from '../parts/icon.js';
import { usePhoneWidth } from '../parts/phone-width.js';
import { PALETTE_ARIA_KEYS, paletteKeys, useKeyboard, useShortcut } from '../parts/shortcuts.js';
import { toggleTheme, useTheme } from '../parts/theme.js';
import { type EnvironmentName, setSession } from '../session/session.js';
import { useMay, useSignedIn } from '../session/signed-in.js';
import { EnvironmentSwitch, useSwitchEnvironment } from './environment-switch.js';
import { LanguageChoice } from './language-choice.js';
import { isCurrent, NAVIGATION } from './navigation.js';
import { OfflineBand } from './offline.js';
import { Palette } from './palette.js';
import { ShortcutSheet } from './shortcut-sheet.js';

/** What the keyboard can open over the screen. */
type Over = 'palette' | 'shortcuts';

/** Handles the keys of every screen. Returns what is open over the screen, and a function that opens it without a key. */
function useOver(): readonly [Over | null, (over: Over | null) => void] {
  const [over, setOver] = useState<Over | null>(null);
  const [, navigate] = useLocation();
  const mayWrite = useMay('links:write');
  useKeyboard(() => setOver('palette'));
  useShortcut('c', text('New link'), () => navigate('/links/new'), { everywhere: true, offered: mayWrite });
  useShortcut('/', text('Search'), () => setOver('palette'), { everywhere: true });
  useShortcut('?', text('Keyboard shortcuts'), () => setOver('shortcuts'), { everywhere: true });
  return [over, setOver];
}

/**
 * On a narrow window, the side bar is a sheet. It closes when the screen changes, or with Escape, which returns the focus to its button.
 */
function useSideSheet() {
  const [open, setOpen] = useState(false);
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new screen closes the sheet
  useEffect(() => setOpen(false), [location]);
  const menu = useRef<HTMLButtonElement>(null);
  // Before the sheet is painted, so that no Escape is lost.
  useLayoutEffect(() => {
    if (!open) return;
    const close = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      setOpen(false);
      menu.current?.focus();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [open]);
  return { open, setOpen, menu };
}

/** Side bar, environment switch and the screen. On a narrow window the side bar is a sheet behind a button. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { environment } = useSignedIn();
  const [over, setOver] = useOver();
  const { show, dialog } = useSwitchEnvironment();
  const { open, setOpen, menu } = useSideSheet();
  // The sheet covers the screen, so that nobody could see what has the focus there.
  const isCovered = usePhoneWidth() && open;
  return (
    <div className={`shell shell-${environment}`}>
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        {text('Skip to the content')}
      </button>
      <header className="top-bar">
        <button
          ref={menu}
          type="button"
          className="icon-button"
          onClick={() => setOpen(!open)}
          aria-expanded={open}
          aria-controls="side-bar"
          aria-label={text('Menu')}
        >
          <Icon name={open ? 'close' : 'menu'} />
        </button>
        <span className="top-bar-name one-line">{useSignedIn().settings.project.name}</span>
        {environment === 'test' ? <span className="test-mark">{text('Test')}</span> : null}
        <IconButton icon="search" label={text('Find or run')} onClick={() => setOver('palette')} />
      </header>
      <aside id="side-bar" className={open ? 'side-bar side-bar-open' : 'side-bar'}>
        <SideBar onShow={show} onPalette={() => setOver('palette')} />
      </aside>
      <main id="main" tabIndex={-1} {...(isCovered ? { inert: true } : {})}>
        <OfflineBand />
        {environment === 'test' ? (
          <div className="test-band">
            <strong>{text('Test environment')}</strong>
            <span>{text('Nothing here affects your live links.')}</span>
          </div>
        ) : null}
        {children}
      </main>
      {over === 'palette' ? <Palette onEnvironment={show} onShortcuts={() => setOver('shortcuts')} onClose={() => setOver(null)} /> : null}
      {over === 'shortcuts' ? <ShortcutSheet onClose={() => setOver(null)} /> : null}
      {dialog}
    </div>
  );
}

interface SideBarProps {
  readonly onShow: (environment: EnvironmentName) => void;
  readonly onPalette: () => void;
}

function SideBar({ onShow, onPalette }: SideBarProps) {
  const { settings } = useSignedIn();
  const [location] = useLocation();
  return (
    <>
      <div className="project">
        <img src="./icon.svg" alt="" width="28" height="28" />
        <div>
          <strong className="one-line">{settings.project.name}</strong>
          <small className="one-line">{new URL(settings.link_origin).host}</small>
        </div>
      </div>
      <EnvironmentSwitch onShow={onShow} />
      <button type="button" className="palette-button quiet" onClick={onPalette} aria-keyshortcuts={PALETTE_ARIA_KEYS}>
        <Icon name="search" />
        <span>{text('Search or go to')}</span>
        <span className="kbd" aria-hidden="true">
          {paletteKeys()}
        </span>
      </button>
      <nav aria-label={text('Screens')}>
        {NAVIGATION.map(({ title, items }) => (
          <div key={items[0]?.to} className="nav-group">
            <h2>{textOf(title)}</h2>
            <ul>
              {items.map((item) => (
                <li key={item.to}>
                  <Link href={item.to} className="nav-link" aria-current={isCurrent(item, location) ? 'page' : undefined}>
                    <Icon name={item.icon} />
                    {textOf(item.label)}
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

function SideBarFoot() {
  const isDark = useTheme() === 'dark';
  const otherTheme = isDark ? text('Light colours') : text('Dark colours');
  return (
    <div className="side-bar-foot side-by-side">
      <a href="../docs" className="nav-link" target="_blank" rel="noreferrer">
        <Icon name="out" />
        {text('API reference')}
      </a>
      <LanguageChoice />
      <div className="side-bar-buttons">
        <IconButton icon={isDark ? 'sun' : 'moon'} label={otherTheme} title={otherTheme} onClick={toggleTheme} />
        <IconButton icon="signOut" label={text('Sign out')} title={text('Sign out')} onClick={() => setSession(null)} />
      </div>
    </div>
  );
}
