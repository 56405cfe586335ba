/**
 * What was typed into forms and not yet sent, kept in the tab so that a reload loses nothing. One entry a form. Credentials
 * never come here: forms leave those fields out.
 */
const PREFIX = 'draft ';

export function readDraft<Draft>(name: string): Draft | null {
  const text = sessionStorage.getItem(PREFIX + name);
  if (text === null) return null;
  try {
    return JSON.parse(text) as Draft;
  } catch {
    sessionStorage.removeItem(PREFIX + name);
    return null;
  }
}

export function writeDraft(name: string, draft: object): void {
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(draft));
  } catch (error) {
    // The browser's quota, which a bulk file can reach: the form works on, without the safety of a draft.
    if (!(error instanceof DOMException)) throw error;
    sessionStorage.removeItem(PREFIX + name);
  }
}

export function dropDraft(name: string): void {
  sessionStorage.removeItem(PREFIX + name);
}

/** Forgets every draft, so that the next person to sign in does not find them. */
export function dropAllDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}
