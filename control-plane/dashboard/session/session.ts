import { useSyncExternalStore } from 'react';
import { listenerSet } from '../state/listener-set.js';
import { dropAllDrafts } from './draft-store.js';
import { dropAllImports } from './import-store.js';
import { dropAllStates } from './kept-states.js';
import { shareSession, tellSignedOut } from './other-tabs.js';
import { type EnvironmentName, readStoredSession, type Session, storeSession } from './stored-session.js';

export type { EnvironmentName, Session } from './stored-session.js';

let session: Session | null = readStoredSession();
const { subscribe, tell } = listenerSet();

export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, () => session);
}

/** The one place where a session begins, changes and ends. A reader who signs out leaves nothing behind. */
export function setSession(next: Session | null): void {
  if (next === null && session !== null) tellSignedOut();
  keepSession(next);
}

/**
 * Leaves out the key of an environment, which works no more. Other tabs may have another one, and see for themselves. Without any key another
 * one is asked for; what was typed waits for it, as long as it is one of the same project.
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

/** Names the project whose last key worked no more, and whose drafts are kept. */
const WAITING_FOR = 'drafts-of';

/** Whether what was typed waits for another key. */
export function draftsWait(): boolean {
  return sessionStorage.getItem(WAITING_FOR) !== null;
}

function keepSession(next: Session | null): void {
  const waitingFor = sessionStorage.getItem(WAITING_FOR);
  if (next === null || (waitingFor !== null && waitingFor !== next.projectId)) {
    dropAllDrafts();
    dropAllImports();
    dropAllStates();
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

/** The API of this page's own server. The page is at `dashboard/` beside `v1`, below any path that a proxy gives both. */
export function ownServer(): string {
  return new URL('../v1', document.baseURI).href;
}
