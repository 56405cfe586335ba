import { useSyncExternalStore } from 'react';

/** Short messages that are read aloud and disappear by themselves. Only the newest is shown. */
interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'bad';
}

const SHOWN_MS = 5000;

let shown: Toast | null = null;
let last = 0;
const listeners = new Set<() => void>();

function show(toast: Toast | null): void {
  shown = toast;
  for (const listener of listeners) listener();
}

export function toast(text: string, tone: Toast['tone'] = 'good'): void {
  const id = ++last;
  show({ id, text, tone });
  setTimeout(() => {
    if (shown?.id === id) show(null);
  }, SHOWN_MS);
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
      {current === null ? null : <div className={`toast toast-${current.tone}`}>{current.text}</div>}
    </div>
  );
}
