import { useState } from 'react';
import { useConnection } from './signed-in.js';

/** State of a screen, such as the filters of a list, that is kept until the page is closed. */
const kept = new Map<string, unknown>();

export function useStickyState<Value>(name: string, initial: Value): readonly [Value, (value: Value) => void] {
  const { environment } = useConnection();
  const key = `${environment} ${name}`;
  const [value, setValue] = useState<Value>(() => (kept.has(key) ? (kept.get(key) as Value) : initial));
  return [
    value,
    (next) => {
      kept.set(key, next);
      setValue(next);
    },
  ];
}
