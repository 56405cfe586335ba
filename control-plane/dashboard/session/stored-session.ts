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

export function readStoredSession(): Session | null {
  for (const storage of [sessionStorage, localStorage]) {
    const text = storage.getItem(STORAGE_KEY);
    if (text === null) continue;
    try {
      const stored = JSON.parse(text) as Session;
      if (typeof stored.server === 'string' && typeof stored.keys?.[stored.shown] === 'string') return stored;
    } catch {
      // Another version of the page wrote this. Signing in again replaces it.
    }
    storage.removeItem(STORAGE_KEY);
  }
  return null;
}

export function storeSession(session: Session | null): void {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(STORAGE_KEY);
  if (session !== null) (session.kept ? localStorage : sessionStorage).setItem(STORAGE_KEY, JSON.stringify(session));
}
