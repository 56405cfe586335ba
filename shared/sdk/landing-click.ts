import { type Storage, surroundings } from './surroundings.js';

/** How long somebody may take to buy what a link has led to. */
const KEPT_MS = 30 * 86_400_000;
const CLICK_ID = /^clk_[0-9a-hjkmnp-tv-z]{26}$/;

/** What is stored: the id of the click, and when its page was opened. */
interface KeptClick {
  readonly id: string;
  readonly at: number;
}

/**
 * Returns the click that has led to this page, from `click_id` in its address, which the environment's setting
 * `append_click_id` adds. It is stored for the pages that follow; a later click replaces it. If nothing can be stored,
 * it is only known on this page. Null outside a site. It is stored under the first name, and read under the others if
 * there is none.
 */
export async function keepClick(storage: Storage, names: readonly string[], nowMs = Date.now()): Promise<string | null> {
  // Read at once, because the page may change its own address.
  const landed = clickOf(surroundings.location?.search);
  try {
    if (landed !== null) {
      await storage.setItem(names[0] as string, JSON.stringify({ id: landed, at: nowMs } satisfies KeptClick));
      return landed;
    }
    const kept = JSON.parse((await firstStored(storage, names)) ?? 'null') as Partial<KeptClick> | null;
    return typeof kept?.id === 'string' && CLICK_ID.test(kept.id) && nowMs - Number(kept.at) < KEPT_MS ? kept.id : null;
  } catch {
    return landed;
  }
}

async function firstStored(storage: Storage, names: readonly string[]): Promise<string | null> {
  for (const name of names) {
    const stored = await storage.getItem(name);
    if (stored !== null) return stored;
  }
  return null;
}

/** Parsed by hand, because React Native's URLSearchParams has no `get`. */
function clickOf(search: unknown): string | null {
  const id = typeof search === 'string' ? /[?&]click_id=([^&]*)/.exec(search)?.[1] : undefined;
  return id !== undefined && CLICK_ID.test(id) ? id : null;
}
