import { useSyncExternalStore } from 'react';

/** The theme is the system's, unless the reader has chosen one. */
export type Theme = 'light' | 'dark';

const STORAGE_KEY = 'theme';

function theme(): Theme {
  const chosen = localStorage.getItem(STORAGE_KEY);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

const listeners = new Set<() => void>();

function show(): void {
  document.documentElement.dataset.theme = theme();
  for (const listener of listeners) listener();
}

export function applyTheme(): void {
  show();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, theme);
}

export function toggleTheme(): void {
  localStorage.setItem(STORAGE_KEY, theme() === 'dark' ? 'light' : 'dark');
  show();
}
