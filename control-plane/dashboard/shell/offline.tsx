import { text } from '../language/text.js';
import { useOnline } from '../parts/online.js';

/** Reports that the browser has no network for as long as that is so. What is shown may be out of date, and nothing can be saved. */
export function OfflineBand() {
  const online = useOnline();
  return (
    <div role="status">
      {online ? null : (
        <div className="offline-band">
          <strong>{text('You are offline.')}</strong>
          <span>{text('What you see may be out of date, and nothing can be saved until the connection is back.')}</span>
        </div>
      )}
    </div>
  );
}
