import { useEffect, useState } from 'react';

/** Users type a letter every 100 to 200 ms. A search after each would only be replaced by the next one. */
const TYPING_MS = 150;

/** The value, once it has not changed for `ms` milliseconds. */
export function useAfterTyping<Value>(value: Value, ms = TYPING_MS): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
