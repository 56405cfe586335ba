import { useSyncExternalStore } from 'react';

/** The width at which the side bar is no longer beside the screen, as in `styles/shell.css`. */
const NARROW = matchMedia('(max-width: 52rem)');

function subscribe(listener: () => void): () => void {
  NARROW.addEventListener('change', listener);
  return () => NARROW.removeEventListener('change', listener);
}

/** Whether the window is as narrow as that of a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => NARROW.matches);
}
