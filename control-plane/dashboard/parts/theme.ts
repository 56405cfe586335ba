import { useSyncExternalStore } from 'react';
import { listenerSet } from '../state/listener-set.js';
import { browserStore } from '../state/storage.js';

/** The theme is the system's unless the user has chosen one. */
export type Theme = 'light' | 'dark';

const STORAGE_KEY = 'theme';

function theme(): Theme {
  const chosen = browserStore.getItem(STORAGE_KEY);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

const { subscribe, tell } = listenerSet();

function show(): void {
  document.documentElement.dataset.theme = theme();
  tell();
}

export function applyTheme(): void {
  show();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, theme);
}

export function toggleTheme(): void {
  browserStore.setItem(STORAGE_KEY, theme() === 'dark' ? 'light' : 'dark');
  show();
}
