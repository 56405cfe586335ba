import { tabStore } from '../state/storage.js';

/**
 * Unsent entries of forms, kept in the tab so that they survive a reload. There is one entry for each form. Credentials are never stored
 * here, because forms leave those fields out.
 */
const PREFIX = 'draft ';

/** Number of times that all drafts were deleted. */
let deletions = 0;

/** Identifies the user whose drafts are kept now. */
export type DraftOwner = number;

export function draftOwner(): DraftOwner {
  return deletions;
}

export function readDraft<Draft>(name: string): Draft | null {
  const text = tabStore.getItem(PREFIX + name);
  if (text === null) return null;
  try {
    return JSON.parse(text) as Draft;
  } catch {
    tabStore.removeItem(PREFIX + name);
    return null;
  }
}

/** Keeps nothing for a user who has signed out, such as when the response to a save comes later. */
export function writeDraft(owner: DraftOwner, name: string, draft: object): void {
  if (owner !== deletions) return;
  try {
    tabStore.setItem(PREFIX + name, JSON.stringify(draft));
  } catch (error) {
    // The browser's quota is exceeded, which a bulk file can cause. The form still works, but has no draft.
    if (!(error instanceof DOMException)) throw error;
    tabStore.removeItem(PREFIX + name);
  }
}

export function dropDraft(name: string): void {
  tabStore.removeItem(PREFIX + name);
}

/** Deletes every draft, so that the next person who signs in does not see them. */
export function dropAllDrafts(): void {
  deletions++;
  for (const key of tabStore.names()) if (key.startsWith(PREFIX)) tabStore.removeItem(key);
}
