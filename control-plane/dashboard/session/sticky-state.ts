import { useState } from 'react';
import { keepState, keptState } from './kept-states.js';
import { useConnection } from './signed-in.js';

/** State of a screen, such as the filters of a list, that is kept until the page is closed or the user signs out. */
export function useStickyState<Value>(name: string, initial: Value): readonly [Value, (value: Value) => void] {
  const { environment } = useConnection();
  const [value, setValue] = useState<Value>(() => keptState<Value>(environment, name) ?? initial);
  return [
    value,
    (next) => {
      keepState(environment, name, next);
      setValue(next);
    },
  ];
}
