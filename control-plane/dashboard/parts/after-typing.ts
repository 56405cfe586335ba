import { useEffect, useState } from 'react';

/** A reader types a letter every 100 to 200 ms: a search for each would only be replaced by the next. */
const TYPING_MS = 150;

/** What was typed or chosen, once the reader has changed nothing for so long. */
export function useAfterTyping<Value>(value: Value, ms = TYPING_MS): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
