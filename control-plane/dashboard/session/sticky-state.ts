import { useState } from 'react';
import { useConnection } from './signed-in.js';

/** State of a screen that is found again when one comes back to it, filters of a list above all. Gone with the page. */
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
