import { useEffect, useReducer } from 'react';
import { useSignedIn } from '../session/signed-in.js';
import { dateAndTime, relativeTime } from './times.js';

/** Shows a time in the project's time zone. The title of the element is the exact time with its time zone. */
export function Time({ at, relative = false }: { readonly at: string; readonly relative?: boolean }) {
  const { timeZone } = useSignedIn();
  const exact = dateAndTime(at, timeZone);
  return (
    <time dateTime={at} title={`${exact} (${timeZone})`}>
      {relative ? <Ago at={at} /> : exact}
    </time>
  );
}

const MINUTE_MS = 60_000;

/** How long ago a time was. Drawn again every minute, because a page may stay open for hours without anything else changing on it. */
function Ago({ at }: { readonly at: string }) {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    const timer = setInterval(drawAgain, MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return <>{relativeTime(at, Date.now())}</>;
}
