import { useSyncExternalStore } from 'react';
import { languageOf } from '../language/quoted.js';
import { Button } from './button.js';

/** Short messages that are read aloud and disappear by themselves. Only the newest is shown. */
interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'bad';
  readonly action: ToastAction | null;
}

/** What the reader can still do about it. */
interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

const SHOWN_MS = 5000;
/** Time to decide. */
const SHOWN_WITH_ACTION_MS = 15_000;

let shown: Toast | null = null;
let last = 0;
const listeners = new Set<() => void>();

function show(toast: Toast | null): void {
  shown = toast;
  for (const listener of listeners) listener();
}

export function toast(text: string, tone: Toast['tone'] = 'good', action: ToastAction | null = null): void {
  const id = ++last;
  show({ id, text, tone, action });
  setTimeout(
    () => {
      if (shown?.id === id) show(null);
    },
    action === null ? SHOWN_MS : SHOWN_WITH_ACTION_MS,
  );
}

export function Toasts() {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
  return (
    <div className="toasts" role="status" aria-live="polite">
      {current === null ? null : (
        <div className={`toast toast-${current.tone}`}>
          <span lang={languageOf(current.text)}>{current.text}</span>
          {current.action === null ? null : <ActionButton action={current.action} />}
        </div>
      )}
    </div>
  );
}

function ActionButton({ action: { label, run } }: { readonly action: ToastAction }) {
  const use = () => {
    show(null);
    run();
  };
  return (
    <Button variant="link" onClick={use}>
      {label}
    </Button>
  );
}
