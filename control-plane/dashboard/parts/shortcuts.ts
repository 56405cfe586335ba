import { useEffect, useRef, useSyncExternalStore } from 'react';
import { text } from '../language/text.js';
import { listenerSet } from '../state/listener-set.js';
import { browserStore } from '../state/storage.js';

/** A key of one character, and what it does on the current screen. The sheet on `?` and the palette list these keys. */
export interface Shortcut {
  readonly key: string;
  readonly label: string;
  /** True for keys of every screen. */
  readonly everywhere: boolean;
  readonly run: () => void;
}

/** Keys of a screen come after those of every screen, and win if both use the same key. */
let shortcuts: readonly Shortcut[] = [];
/** Users who control their computer by speech need to turn single keys off, because a spoken word would press several (WCAG 2.1.4). */
let enabled = browserStore.getItem('single_keys') !== 'off';
const { subscribe, tell } = listenerSet();

interface ShortcutOptions {
  /** False if there is nothing to do, or if the API key does not permit it. */
  readonly offered?: boolean;
  readonly everywhere?: boolean;
}

/** Offers a key while the component is shown. */
export function useShortcut(key: string, label: string, run: () => void, options: ShortcutOptions = {}): void {
  const { offered = true, everywhere = false } = options;
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!offered) return;
    const shortcut: Shortcut = { key, label, everywhere, run: () => latest.current() };
    const all = [...shortcuts, shortcut];
    shortcuts = [...all.filter((each) => each.everywhere), ...all.filter((each) => !each.everywhere)];
    tell();
    return () => {
      shortcuts = shortcuts.filter((each) => each !== shortcut);
      tell();
    };
  }, [key, label, offered, everywhere]);
}

/** The keys that currently do something, each of them once. */
export function useShortcuts(): readonly Shortcut[] {
  const all = useSyncExternalStore(subscribe, () => shortcuts);
  return all.filter(({ key }, index) => all.findLastIndex((other) => other.key === key) === index);
}

export function useSingleKeys(): readonly [boolean, (enabled: boolean) => void] {
  const current = useSyncExternalStore(subscribe, () => enabled);
  return [
    current,
    (next) => {
      enabled = next;
      browserStore.setItem('single_keys', next ? 'on' : 'off');
      tell();
    },
  ];
}

const IS_APPLE = /^(Mac|iP)/.test(navigator.platform);

/** The name of the modifier key. */
export function modifierKey(): string {
  return IS_APPLE ? '⌘' : text('Ctrl');
}

/** The keys that open the palette, as shown to the user. */
export function paletteKeys(): string {
  return IS_APPLE ? '⌘K' : `${modifierKey()} K`;
}

/** The same keys in the form of `aria-keyshortcuts`. */
export const PALETTE_ARIA_KEYS = IS_APPLE ? 'Meta+K' : 'Control+K';

/** Listens to the keyboard. Single keys do nothing while text is typed or a dialog is open. */
export function useKeyboard(openPalette: () => void): void {
  const latest = useRef(openPalette);
  useEffect(() => {
    latest.current = openPalette;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat || document.querySelector('dialog[open]') !== null) return;
      const run = isPaletteKey(event) ? latest.current : shortcutOf(event)?.run;
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

function isPaletteKey({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const modified = IS_APPLE ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return modified && !altKey && !shiftKey && key.toLowerCase() === 'k';
}

function shortcutOf({ key, metaKey, ctrlKey, altKey, target }: KeyboardEvent): Shortcut | undefined {
  if (!enabled || metaKey || ctrlKey || altKey || isTextField(target)) return undefined;
  return shortcuts.findLast((each) => each.key === key);
}

const TEXT_FIELDS = 'textarea, select, input:not([type="checkbox"], [type="radio"], [type="file"])';

function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXT_FIELDS));
}
