import { useSignedIn } from '../session/signed-in.js';
import { dateAndTime, relativeTime } from './times.js';

/** Shows a time in the project's time zone. The title of the element is the exact time with its time zone. */
export function Time({ at, relative = false }: { readonly at: string; readonly relative?: boolean }) {
  const { timeZone } = useSignedIn();
  const exact = dateAndTime(at, timeZone);
  return (
    <time dateTime={at} title={`${exact} (${timeZone})`}>
      {relative ? relativeTime(at, Date.now()) : exact}
    </time>
  );
}
