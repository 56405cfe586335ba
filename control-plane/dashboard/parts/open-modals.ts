import { useEffect, useState, useSyncExternalStore } from 'react';
import { listenerSet } from '../state/listener-set.js';

/** Names a modal dialog while it is open. */
export type ModalName = symbol;

/** The modal dialogs that are open, the topmost last. Everything outside of the topmost can neither be used nor is it read aloud. */
let open: readonly ModalName[] = [];
const { subscribe, tell } = listenerSet();

function put(next: readonly ModalName[]): void {
  open = next;
  tell();
}

/** Counts the component as an open modal dialog while it is shown. Returns its name. */
export function useOpenModal(): ModalName {
  const [name] = useState(() => Symbol('modal'));
  useEffect(() => {
    put([...open, name]);
    return () => put(open.filter((other) => other !== name));
  }, [name]);
  return name;
}

/** The topmost modal dialog; null if none is open. */
export function useTopModal(): ModalName | null {
  return useSyncExternalStore(subscribe, () => open.at(-1) ?? null);
}
