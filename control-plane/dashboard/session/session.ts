import { useSyncExternalStore } from 'react';
import { dropAllDrafts } from './draft-store.js';
import { dropAllImports } from './import-store.js';
import { shareSession, tellSignedOut } from './other-tabs.js';

export type EnvironmentName = 'live' | 'test';

/** One signed-in project, with a key for each environment for which the reader has entered one. */
export interface Session {
  readonly server: string;
  readonly projectId: string;
  readonly keys: Readonly<Partial<Record<EnvironmentName, string>>>;
  readonly shown: EnvironmentName;
  /** Whether the browser keeps it beyond the tab. */
  readonly kept: boolean;
}

const STORAGE_KEY = 'session';

let session: Session | null = readStored();
const listeners = new Set<() => void>();

function readStored(): Session | null {
  for (const storage of [sessionStorage, localStorage]) {
    const text = storage.getItem(STORAGE_KEY);
    if (text === null) continue;
    try {
      const stored = JSON.parse(text) as Session;
      if (typeof stored.server === 'string' && typeof stored.keys?.[stored.shown] === 'string') return stored;
    } catch {
      // Written by another version: signing in again replaces it.
    }
    storage.removeItem(STORAGE_KEY);
  }
  return null;
}

export function useSession(): Session | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => session,
  );
}

/** The one place where a session begins, changes and ends. */
export function setSession(next: Session | null): void {
  if (next === null && session !== null) tellSignedOut();
  keepSession(next);
}

function keepSession(next: Session | null): void {
  if (next === null) {
    dropAllDrafts();
    dropAllImports();
  }
  session = next;
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(STORAGE_KEY);
  if (next !== null) (next.kept ? localStorage : sessionStorage).setItem(STORAGE_KEY, JSON.stringify(next));
  for (const listener of listeners) listener();
}

shareSession({ get: () => session, set: keepSession });

/** The API of this page's own server. The page is at `dashboard/` beside `v1`, below any path that a proxy gives both. */
export function ownServer(): string {
  return new URL('../v1', document.baseURI).href;
}
