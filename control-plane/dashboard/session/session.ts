import { useSyncExternalStore } from 'react';
import { listenerSet } from '../state/listener-set.js';
import { dropAllDrafts } from './draft-store.js';
import { dropAllImports } from './import-store.js';
import { dropAllStates } from './kept-states.js';
import { dropAllKeysOfWrites } from './open-keys.js';
import { shareSession, tellSignedOut } from './other-tabs.js';
import { type EnvironmentName, readStoredSession, type Session, storeSession } from './stored-session.js';

export type { EnvironmentName, Session } from './stored-session.js';

let session: Session | null = readStoredSession();
const { subscribe, tell } = listenerSet();

export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, () => session);
}

/** The only place where a session begins, changes or ends. A sign-out deletes everything that the user has left. */
export function setSession(next: Session | null): void {
  if (next === null && session !== null) tellSignedOut();
  keepSession(next);
}

/**
 * Removes the key of an environment, because it no longer works. Other tabs may have a different key and check theirs themselves. If no key
 * is left, the page asks for another one. Drafts are kept until then, and remain if the new key belongs to the same project.
 */
export function dropKey(gone: EnvironmentName): void {
  if (session === null) return;
  const rest = Object.fromEntries(Object.entries(session.keys).filter(([name]) => name !== gone)) as Session['keys'];
  const shown = (Object.keys(rest) as EnvironmentName[])[0];
  if (shown !== undefined) {
    keepSession({ ...session, keys: rest, shown });
    return;
  }
  sessionStorage.setItem(WAITING_FOR, session.projectId);
  put(null);
}

/** Storage key of the id of the project whose last key stopped working, and whose drafts are kept. */
const WAITING_FOR = 'drafts-of';

/** Whether drafts are kept until the user enters another key. */
export function draftsWait(): boolean {
  return sessionStorage.getItem(WAITING_FOR) !== null;
}

function keepSession(next: Session | null): void {
  const waitingFor = sessionStorage.getItem(WAITING_FOR);
  if (next === null || (waitingFor !== null && waitingFor !== next.projectId)) {
    dropAllDrafts();
    dropAllImports();
    dropAllStates();
    dropAllKeysOfWrites();
  }
  sessionStorage.removeItem(WAITING_FOR);
  put(next);
}

function put(next: Session | null): void {
  session = next;
  storeSession(next);
  tell();
}

shareSession({ get: () => session, set: keepSession });

/** The address of the API on this page's own server. The page is at `dashboard/` beside `v1`, below any path that a proxy adds to both. */
export function ownServer(): string {
  return new URL('../v1', document.baseURI).href;
}
