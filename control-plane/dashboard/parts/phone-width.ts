import { useSyncExternalStore } from 'react';

/** Returns a hook that tells whether the window is at most this wide. */
function widthHook(most: string): () => boolean {
  const query = matchMedia(`(max-width: ${most})`);
  const subscribe = (listener: () => void) => {
    query.addEventListener('change', listener);
    return () => query.removeEventListener('change', listener);
  };
  return () => useSyncExternalStore(subscribe, () => query.matches);
}

/** Whether the side bar is no longer beside the screen, as in `styles/shell.css`. */
export const usePhoneWidth = widthHook('52rem');

/** Whether the rows of the table of links are cards, as in `screens/links/link-table.css`. */
export const useCardRows = widthHook('64rem');
