import { useMemo, useSyncExternalStore } from 'react';
import { listenerSet } from '../state/listener-set.js';
import { type ModalName, useTopModal } from './open-modals.js';

/** Short texts for screen readers alone, about changes that everyone else sees: how many rows a search has found, or that text was copied. */
let said = '';
let saidAt = 0;
const { subscribe, tell } = listenerSet();

/** Screen readers read changes, so the text is removed first, in case it is the same as before. */
const PAUSE_MS = 100;
/** What has been there for so long has been read. */
export const READ_MS = 1_000;
/** After that, the text is removed, so that users who read through the page do not find it. */
const KEPT_MS = 5_000;

let timer: ReturnType<typeof setTimeout> | undefined;

function say(text: string, next: () => void, ms: number): void {
  said = text;
  saidAt = performance.now();
  tell();
  clearTimeout(timer);
  timer = setTimeout(next, ms);
}

export function announce(text: string): void {
  say('', () => say(text, () => say('', () => {}, 0), KEPT_MS), PAUSE_MS);
}

/** Where the texts are said: in the topmost modal dialog if one is open, because what is outside of it is not read aloud. */
export function Announcements({ within }: { readonly within: ModalName | null }) {
  const isTop = useTopModal() === within;
  // What was said before a dialog opened or closed is not said again.
  const since = useMemo(() => (isTop ? performance.now() - READ_MS : 0), [isTop]);
  const text = useSyncExternalStore(subscribe, () => (isTop && saidAt > since ? said : ''));
  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  );
}
