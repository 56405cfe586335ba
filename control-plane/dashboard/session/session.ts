import { useSyncExternalStore } from 'react';
import { listenerSet } from '../state/listener-set.js';
import { tabStore } from '../state/storage.js';
import { dropAllDrafts } from './draft-store.js';
import { dropAllImports } from './import-store.js';
import { dropAllStates } from './kept-states.js';
import { dropAllKeysOfWrites } from './open-keys.js';
import { shareSession, tellSignedOut } from './other-tabs.js';
import {
  type EnvironmentName,
  forgetSession,
  keepShown,
  readKeptSession,
  readStoredSession,
  type Session,
  storeSession,
} from './stored-session.js';

export type { EnvironmentName, Session } from './stored-session.js';

let session: Session | null = readStoredSession();
const { subscribe, tell } = listenerSet();

export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, () => session);
}

/** The only place where a session begins, changes or ends. A sign-out deletes everything that the user has left. */
export function setSession(next: Session | null): void {
  if (next === null && session !== null) tellSignedOut();
  keepSession(next === null ? null : withKeysOfOtherTabs(next));
}

/**
 * Removes the key of an environment, because it no longer works, unless another tab has stored a newer one: then this tab uses that. Other
 * tabs may have a different key and check theirs themselves. If no key is left, the page asks for another one. Drafts are kept until then,
 * and remain if the new key belongs to the same project. Returns whether the environment has a key now.
 */
export function dropKey(gone: EnvironmentName): boolean {
  if (session === null) return false;
  const now = withKeysOfOtherTabs(session);
  if (now.keys[gone] !== session.keys[gone]) {
    keepSession(now);
    return true;
  }
  const rest = Object.fromEntries(Object.entries(now.keys).filter(([name]) => name !== gone)) as Session['keys'];
  const shown = (Object.keys(rest) as EnvironmentName[])[0];
  if (shown !== undefined) keepSession({ ...now, keys: rest, shown });
  else {
    tabStore.setItem(WAITING_FOR, session.projectId);
    forgetSession(session);
    session = null;
    tell();
  }
  return false;
}

/** The session with the keys that other tabs have stored since this tab read them. A key that this tab itself changes is not replaced. */
function withKeysOfOtherTabs(next: Session): Session {
  const stored = next.kept ? readKeptSession() : null;
  if (stored?.projectId !== next.projectId) return next;
  const unchanged = Object.entries(stored.keys).filter(([name]) => {
    const environment = name as EnvironmentName;
    return next.keys[environment] === session?.keys[environment];
  });
  return { ...next, keys: { ...next.keys, ...Object.fromEntries(unchanged) } };
}

/** Storage key of the id of the project whose last key stopped working, and whose drafts are kept. */
const WAITING_FOR = 'drafts-of';

/** Whether drafts are kept until the user enters another key. */
export function draftsWait(): boolean {
  return tabStore.getItem(WAITING_FOR) !== null;
}

function keepSession(next: Session | null): void {
  const waitingFor = tabStore.getItem(WAITING_FOR);
  if (next === null || (waitingFor !== null && waitingFor !== next.projectId)) {
    dropAllDrafts();
    dropAllImports();
    dropAllStates();
    dropAllKeysOfWrites();
  }
  tabStore.removeItem(WAITING_FOR);
  put(next);
}

function put(next: Session | null): void {
  session = next;
  storeSession(next);
  tell();
}

/** A tab that is opened from this one shows the same environment. */
function noteUse(): void {
  if (session?.kept) keepShown(session);
}

/** The page has been reloaded while it asked for a key, and another tab has stored a session, perhaps of another project. */
if (session !== null && draftsWait()) {
  if (tabStore.getItem(WAITING_FOR) !== session.projectId) dropAllDrafts();
  tabStore.removeItem(WAITING_FOR);
}

shareSession({ get: () => session, set: keepSession, used: noteUse });

/** The address of the API on this page's own server. The page is at `dashboard/` beside `v1`, below any path that a proxy adds to both. */
export function ownServer(): string {
  return new URL('../v1', document.baseURI).href;
}
