import { browserStore, type Store, tabStore } from '../state/storage.js';

export type EnvironmentName = 'live' | 'test';

/** A signed-in project, with a key for each environment for which the user has entered one. */
export interface Session {
  readonly server: string;
  readonly projectId: string;
  readonly keys: Readonly<Partial<Record<EnvironmentName, string>>>;
  readonly shown: EnvironmentName;
  /** Whether the browser keeps the session after the tab is closed. */
  readonly kept: boolean;
}

const STORAGE_KEY = 'session';

/** Storage key of the environment that this tab shows, for a session that all tabs share. */
const SHOWN_KEY = 'shown';

/** The session of this tab. A tab shows the environment that it showed before it was reloaded, whatever other tabs show. */
export function readStoredSession(): Session | null {
  const ofTab = readFrom(tabStore);
  if (ofTab !== null) return ofTab;
  const shared = readKeptSession();
  const shown = tabStore.getItem(SHOWN_KEY) as EnvironmentName | null;
  return shared !== null && shown !== null && shared.keys[shown] !== undefined ? { ...shared, shown } : shared;
}

/** The session that the browser keeps for all tabs, as the tab left it that changed it last. */
export function readKeptSession(): Session | null {
  return readFrom(browserStore);
}

function readFrom(storage: Store): Session | null {
  const text = storage.getItem(STORAGE_KEY);
  if (text === null) return null;
  try {
    const stored = JSON.parse(text) as Session;
    if (typeof stored.server === 'string' && typeof stored.keys?.[stored.shown] === 'string') return stored;
  } catch {
    // Another version of the page wrote this. Signing in again replaces it.
  }
  storage.removeItem(STORAGE_KEY);
  return null;
}

/** Stores the session. With null, the user signs out, and no session is left in this browser. */
export function storeSession(session: Session | null): void {
  forgetInTab();
  if (session === null) browserStore.removeItem(STORAGE_KEY);
  else if (session.kept) {
    browserStore.setItem(STORAGE_KEY, JSON.stringify(session));
    tabStore.setItem(SHOWN_KEY, session.shown);
  } else tabStore.setItem(STORAGE_KEY, JSON.stringify(session));
}

/** Makes the environment that this tab shows the one that new tabs begin with. */
export function keepShown({ projectId, shown }: Session): void {
  const kept = readKeptSession();
  if (kept?.projectId !== projectId || kept.shown === shown || kept.keys[shown] === undefined) return;
  browserStore.setItem(STORAGE_KEY, JSON.stringify({ ...kept, shown }));
}

/** Removes the session, whose last key no longer works. Another one that another tab has stored since then stays. */
export function forgetSession(session: Session): void {
  forgetInTab();
  if (session.kept && readKeptSession()?.projectId === session.projectId) browserStore.removeItem(STORAGE_KEY);
}

function forgetInTab(): void {
  for (const name of [STORAGE_KEY, SHOWN_KEY]) tabStore.removeItem(name);
}
