import { type Storage, storageWithMemory, surroundings } from './surroundings.js';

/** A storage that several clients use: two on one page, or those of several tabs. */
export interface SharedStorage extends Storage {
  /**
   * Runs the work after all earlier work with the same key: of all clients on this storage, and of other tabs where
   * browsers have locks. Work must not wait for other work with its own key.
   */
  alone<Value>(key: string, work: () => Promise<Value>): Promise<Value>;
}

/** Another tab may be suspended while it has the lock. It must not hold up this one for longer. */
const LOCK_WAIT_MS = 5_000;

/** Weak, so that a storage that the app drops is dropped here too. */
const known = new WeakMap<object, SharedStorage>();

/** Returns the same object for the same storage. */
export function sharedStorage(storage: Storage): SharedStorage {
  // An app may pass anything.
  const owner = Object(storage) as Storage;
  const shared = known.get(owner) ?? share(owner);
  known.set(owner, shared);
  return shared;
}

function share(storage: Storage): SharedStorage {
  /** The end of the newest work, by key. */
  const ends = new Map<string, Promise<unknown>>();
  const locked = tabLocks();
  return {
    ...storageWithMemory(storage),
    alone(key, work) {
      const result = (ends.get(key) ?? Promise.resolve()).then(() => locked(key, work));
      ends.set(
        key,
        result.catch(() => undefined),
      );
      return result;
    },
  };
}

/**
 * Returns what runs work while no other tab runs work with the same key. A page that is closing gets no lock any more,
 * so there the work runs at once: an event that is tracked then is still stored and sent.
 */
function tabLocks(): SharedStorage['alone'] {
  let closing = false;
  const waiting = new Set<() => void>();
  surroundings.addEventListener?.('pagehide', () => {
    closing = true;
    for (const begin of waiting) begin();
  });
  // The page is shown again from the browser's cache of pages.
  surroundings.addEventListener?.('pageshow', () => {
    closing = false;
  });
  return (key, work) => {
    const locks = surroundings.navigator?.locks;
    if (locks === undefined || closing) return work();
    return new Promise((resolve, reject) => {
      let result: ReturnType<typeof work> | undefined;
      const begin = () => {
        clearTimeout(timer);
        waiting.delete(begin);
        result ??= work();
        return result.then(resolve, reject);
      };
      const timer = setTimeout(begin, LOCK_WAIT_MS);
      waiting.add(begin);
      // A page in a frame without an origin is refused locks. It shares no storage with others either.
      locks.request(key, begin).catch(begin);
    });
  };
}
