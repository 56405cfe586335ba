/** The part of the browser's storage that the page uses. */
export interface Store {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
  names(): readonly string[];
}

function memoryStore(): Store {
  const items = new Map<string, string>();
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => items.set(name, value),
    removeItem: (name) => items.delete(name),
    names: () => [...items.keys()],
  };
}

/**
 * The storage of the browser. Some browsers are set to let pages store nothing, and then throw at every access: the page works nevertheless,
 * and forgets everything when it is closed or reloaded.
 */
function storeOf(open: () => Storage): { readonly store: Store; readonly isKept: boolean } {
  try {
    const storage = open();
    storage.getItem('');
    return {
      store: {
        getItem: (name) => storage.getItem(name),
        setItem: (name, value) => storage.setItem(name, value),
        removeItem: (name) => storage.removeItem(name),
        names: () => Object.keys(storage),
      },
      isKept: true,
    };
  } catch {
    return { store: memoryStore(), isKept: false };
  }
}

/** What the browser keeps for this tab until it is closed. */
export const { store: tabStore, isKept: isTabKept } = storeOf(() => sessionStorage);
/** What the browser keeps for all tabs. */
export const { store: browserStore } = storeOf(() => localStorage);
