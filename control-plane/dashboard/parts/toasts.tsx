import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { languageOf } from '../language/quoted.js';
import { listenerSet } from '../state/listener-set.js';
import { Announcements, READ_MS } from './announce.js';
import { Button } from './button.js';
import { type ModalName, useTopModal } from './open-modals.js';

/** Short messages that are read aloud and disappear by themselves. A message with an action stays when others follow. */
interface Toast {
  readonly id: number;
  /** When it came, by the clock of the page. */
  readonly at: number;
  readonly text: string;
  readonly tone: 'good' | 'bad';
  readonly action: ToastAction | null;
}

/** What the user can still do about it. */
interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

/** Long enough to notice a message, and to read it at 15 characters a second. */
const NOTICED_MS = 3000;
const CHARACTER_MS = 1000 / 15;
const SHOWN_LEAST_MS = 5000;
/** What failed is read more than once. */
const SHOWN_FAILURE_MS = 10_000;
/** Leaves time to decide. */
const SHOWN_WITH_ACTION_MS = 15_000;
/** More messages would hide the page on a phone. */
const SHOWN_MAX = 3;

let shown: readonly Toast[] = [];
let last = 0;
const { subscribe, tell } = listenerSet();

let isSilent = false;

/**
 * While silent, nothing is shown, and what comes meanwhile is not shown later. After a sign-out, the messages and offers of the user who has
 * left would otherwise be there for the next one.
 */
export function silenceToasts(silent: boolean): void {
  isSilent = silent;
  if (silent && shown.length > 0) show([]);
}

function show(toasts: readonly Toast[]): void {
  shown = toasts;
  tell();
}

function drop(id: number): void {
  show(shown.filter((toast) => toast.id !== id));
}

export function toast(text: string, tone: Toast['tone'] = 'good', action: ToastAction | null = null): void {
  if (isSilent) return;
  const offers = shown.filter((before) => before.action !== null);
  show([...offers, { id: ++last, at: performance.now(), text, tone, action }].slice(-SHOWN_MAX));
}

/** Says why something failed, for a write whose part of the screen may no longer be shown. */
export function toastFailure({ message }: Error): void {
  toast(message, 'bad');
}

const NONE: readonly Toast[] = [];

/** Id of the last message that has been there for long enough to be read aloud. */
function readAlready(): number {
  return shown.findLast(({ at }) => performance.now() - at > READ_MS)?.id ?? 0;
}

/** The messages, in the topmost modal dialog if one is open, because what is outside of it is not read aloud. */
export function Toasts({ within = null }: { readonly within?: ModalName | null }) {
  const isTop = useTopModal() === within;
  const current = useSyncExternalStore(subscribe, () => (isTop ? shown : NONE));
  // Messages move when a dialog opens or closes. Those that have been read are not read again.
  const seen = useMemo(() => (isTop ? readAlready() : 0), [isTop]);
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  // The browser fires no event for the pointer or the focus when the element below it is removed.
  const isEmpty = current.length === 0;
  useEffect(() => {
    if (!isEmpty) return;
    setPointed(false);
    setFocused(false);
  }, [isEmpty]);
  const line = (toast: Toast) => <ToastLine key={toast.id} toast={toast} waits={pointed || focused} onUse={() => setFocused(false)} />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is done by it: messages wait while somebody reads them
    <div
      className="toasts"
      onMouseEnter={() => setPointed(true)}
      onMouseLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <Announcements within={within} />
      <div role="log" aria-live="off" className="toast-list">
        {current.filter(({ id }) => id <= seen).map(line)}
      </div>
      <div role="status" aria-live="polite" aria-atomic="false" className="toast-list">
        {current.filter(({ id }) => id > seen).map(line)}
      </div>
    </div>
  );
}

interface ToastLineProps {
  readonly toast: Toast;
  /** Whether the pointer is over the messages, or the focus is in them. Their time starts again when neither is so any longer. */
  readonly waits: boolean;
  readonly onUse: () => void;
}

function shownMs({ text, tone, action }: Toast): number {
  const least = action !== null ? SHOWN_WITH_ACTION_MS : tone === 'bad' ? SHOWN_FAILURE_MS : SHOWN_LEAST_MS;
  return Math.max(least, NOTICED_MS + text.length * CHARACTER_MS);
}

function ToastLine({ toast, waits, onUse }: ToastLineProps) {
  const { id, text, tone, action } = toast;
  const ms = shownMs(toast);
  useEffect(() => {
    if (waits) return;
    const timer = setTimeout(() => drop(id), ms);
    return () => clearTimeout(timer);
  }, [id, ms, waits]);
  const use = () => {
    drop(id);
    onUse();
    action?.run();
  };
  return (
    <div className={`toast toast-${tone}`}>
      <span lang={languageOf(text)}>{text}</span>
      {action === null ? null : (
        <Button variant="link" onClick={use}>
          {action.label}
        </Button>
      )}
    </div>
  );
}
