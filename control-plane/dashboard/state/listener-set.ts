interface ListenerSet {
  /** Takes a listener, and returns what removes it: as `useSyncExternalStore` needs it. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Calls every listener. */
  readonly tell: () => void;
}

/** Those who want to hear of changes of a state, such as the components that show it. */
export function listenerSet(): ListenerSet {
  const listeners = new Set<() => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell() {
      for (const listener of listeners) listener();
    },
  };
}
