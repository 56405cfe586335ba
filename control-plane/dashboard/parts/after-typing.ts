import { useEffect, useState } from 'react';

/** A reader types a letter every 100 to 200 ms: a search for each would only be replaced by the next. */
const TYPING_MS = 150;

/** What was typed, once the reader has stopped. */
export function useAfterTyping(typed: string): string {
  const [asked, setAsked] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return asked;
}
