interface ListenerSet {
  /** Adds a listener and returns a function that removes it, as `useSyncExternalStore` requires. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Calls every listener. */
  readonly tell: () => void;
}

/** A set of listeners for changes of a state, such as the components that show it. */
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
