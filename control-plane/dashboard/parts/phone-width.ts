import { useSyncExternalStore } from 'react';

/** The width at which the side bar is no longer beside the screen, as in `styles/shell.css`. */
const PHONE = matchMedia('(max-width: 52rem)');

function subscribe(listener: () => void): () => void {
  PHONE.addEventListener('change', listener);
  return () => PHONE.removeEventListener('change', listener);
}

/** Whether the window is as narrow as that of a phone. */
export function usePhoneWidth(): boolean {
  return useSyncExternalStore(subscribe, () => PHONE.matches);
}
