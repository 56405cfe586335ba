import { useSyncExternalStore } from 'react';
import { text } from '../language/text.js';

/** Says that the browser has no network, for as long as it has none: what is shown may be old, and nothing can be saved. */
export function OfflineBand() {
  const online = useSyncExternalStore(
    (listener) => {
      window.addEventListener('online', listener);
      window.addEventListener('offline', listener);
      return () => {
        window.removeEventListener('online', listener);
        window.removeEventListener('offline', listener);
      };
    },
    () => navigator.onLine,
  );
  if (online) return null;
  return (
    <div className="offline-band" role="status">
      <strong>{text('You are offline.')}</strong>
      <span>{text('What you see may be out of date, and nothing can be saved until the connection is back.')}</span>
    </div>
  );
}
