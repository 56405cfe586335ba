import { useSignedIn } from '../session/signed-in.js';
import { dateAndTime, relativeTime } from './times.js';

/** Shows a moment in the project's zone. The exact time with its zone is the element's title. */
export function Time({ at, relative = false }: { readonly at: string; readonly relative?: boolean }) {
  const { timeZone } = useSignedIn();
  const exact = dateAndTime(at, timeZone);
  return (
    <time dateTime={at} title={`${exact} (${timeZone})`}>
      {relative ? relativeTime(at, Date.now()) : exact}
    </time>
  );
}
